//! Bad input gets a clear error, and nothing is lost.

use crate::calling::call;
use crate::{ada, file, ingest, open, open_with, operation, request, text};
use recordar::document::FileStatus;
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase};
use rustix::fs::{CWD, Mode, OFlags, RenameFlags, openat, renameat_with};
use serde_json::json;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn bad_files_are_listed_with_a_reason_and_the_good_ones_land() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "ingest.max_file_bytes = 5000");
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("good.txt"), "good").unwrap();
        fs::write(at("binary.txt"), b"GIF89a\0\x01\x02").unwrap();
        fs::write(at("latin1.txt"), b"caf\xe9").unwrap();
        fs::write(at("utf16.txt"), b"\xff\xfea\0b\0").unwrap();
        fs::write(at("empty.md"), "").unwrap();
        fs::write(at("blank.md"), " \n\t\u{feff}\n").unwrap();
        fs::write(at("large.txt"), "x".repeat(5001)).unwrap();
        fs::write(at("broken.json"), "{\"a\": ").unwrap();
        fs::write(at("broken.yaml"), "a: [1, 2").unwrap();
        let odd = "it's \"odd\"\nname 👩‍👩‍👧 %s ; DROP TABLE items; --.md";
        fs::write(at(odd), "odd").unwrap();
        fs::write(folder.path().join(OsStr::from_bytes(b"not-utf8-\xff.txt")), "x").unwrap();
        symlink("/etc/hostname", at("outside.txt")).unwrap();
        symlink(folder.path(), at("loop")).unwrap();
        symlink(at("nowhere"), at("broken-link.md")).unwrap();
        symlink(at("good.txt"), at("inside.txt")).unwrap();

        // A path that is given twice is looked at once.
        let report = ingest(&memory, &request("op", &[folder.path(), folder.path()]));
        let failed = |name: &str| file(&report, name).error.clone().map(|error| error.code).unwrap_or_default();
        assert_eq!(failed("binary.txt"), "binary");
        assert_eq!(failed("latin1.txt"), "not_utf8");
        assert_eq!(failed("utf16.txt"), "not_utf8");
        assert_eq!(failed("large.txt"), "too_large");
        assert_eq!(failed("not-utf8-\u{fffd}.txt"), "bad_name");
        for name in ["good.txt", odd, "broken.json", "broken.yaml"] {
            assert_eq!(file(&report, name).status, FileStatus::Added, "{name}");
        }
        assert_eq!(file(&report, "broken.json").warnings[0].code, "unstructured");
        assert_eq!(file(&report, "broken.yaml").warnings[0].code, "unstructured");
        assert_eq!((report.totals.added, report.totals.failed), (4, 5), "{:?}", report.files);
        // What is no document is a note. It is looked for twice, as the folder is given twice.
        let mut skipped: Vec<(&str, Vec<String>)> = Vec::new();
        for group in &report.skipped {
            let name = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
            let mut names: Vec<String> = group.paths.iter().map(name).collect();
            names.sort();
            names.dedup();
            skipped.push((group.reason.as_str(), names));
        }
        let expected = [
            ("broken_link", vec!["broken-link.md"]),
            ("empty", vec!["blank.md", "empty.md"]),
            ("link", vec!["inside.txt"]),
            ("loop", vec!["loop"]),
            ("outside_root", vec!["outside.txt"]),
        ];
        let expected =
            expected.map(|(reason, names)| (reason, names.into_iter().map(str::to_owned).collect::<Vec<_>>()));
        assert_eq!(skipped, expected);
        for problem in report.files.iter().filter_map(|file| file.error.as_ref()) {
            assert!(!problem.remedy.is_empty(), "{problem:?}");
        }
        assert_eq!(memory.document_text(&ada(), &at(odd).display().to_string(), None).unwrap().text, "odd");
    }
}

#[test]
fn named_files_that_cannot_be_taken_are_failures() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let code = |path: &Path| ingest(&memory, &request("op", &[path])).files[0].error.clone().unwrap().code;
    fs::write(folder.path().join("picture.png"), "x").unwrap();
    assert_eq!(code(&folder.path().join("picture.png")), "other_type");
    assert_eq!(code(&folder.path().join("missing.md")), "missing");
    assert_eq!(code(Path::new("/dev/null")), "other_type");
    let pipe = folder.path().join("pipe.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(code(&pipe), "not_a_file", "a pipe is not waited for");
}

/// What a folder ignores is read by a library, which would wait for a pipe and read a device to its end.
#[test]
fn b1_a_pipe_in_the_place_of_an_ignore_file_is_not_waited_for() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    for name in [".gitignore", ".ignore"] {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        fs::create_dir(&below).unwrap();
        fs::write(folder.path().join("note.md"), "a note").unwrap();
        fs::write(below.join("other.md"), "another").unwrap();
        assert!(Command::new("mkfifo").arg(below.join(name)).status().unwrap().success());
        let files = ingest(&memory, &request(name, &[folder.path()])).files;
        let errors: Vec<_> =
            files.iter().filter_map(|file| file.error.as_ref()).map(|error| error.code.as_str()).collect();
        assert_eq!((files.len(), errors), (2, vec!["unreadable"]), "the note, and the folder below");
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(name)).unwrap();
        let files = ingest(&memory, &request(&format!("{name}-2"), &[folder.path()])).files;
        assert_eq!(files[0].error.as_ref().unwrap().code, "unreadable");
        // Those of folders above count, too.
        fs::remove_file(below.join(name)).unwrap();
        let files = ingest(&memory, &request(&format!("{name}-3"), &[&below])).files;
        assert_eq!(files[0].error.as_ref().unwrap().code, "unreadable");
    }
}

/// Root may read everything, so this runs the engine as another user.
#[test]
fn files_that_may_not_be_read_or_written_are_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let secret = folder.path().join("secret.txt");
    fs::write(&secret, "x").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "nobody", "--", program]);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).output().unwrap()
    };
    // The test binary lies in a folder that nobody may enter; it is copied to where it can be run.
    let worker = folder.path().join("worker");
    fs::copy(std::env::current_exe().unwrap(), &worker).unwrap();
    fs::set_permissions(&worker, fs::Permissions::from_mode(0o755)).unwrap();
    let output = run(
        "env",
        &[
            &format!("RECORDAR_TEST_FOLDER={}", folder.path().display()),
            worker.to_str().unwrap(),
            "--exact",
            "hostile_input::unprivileged_worker",
            "--nocapture",
        ],
    );
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("file: unreadable"), "{said}");
    assert!(said.contains("folder: cannot_connect"), "{said}");
    assert!(said.contains("read-only: database_read_only"), "{said}");
    assert!(said.contains("pruned: 0"), "what may not be looked at is not gone: {said}");
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// Does nothing in an ordinary run; see the test above.
#[test]
fn unprivileged_worker() {
    let Some(folder) = std::env::var_os("RECORDAR_TEST_FOLDER") else { return };
    let folder = Path::new(&folder);
    let config = |path: &Path| {
        let toml = format!("[database]\nurl = \"sqlite:{}\"\nattempts = 1", path.display());
        recordar::Config::from_toml(&toml, folder).unwrap()
    };
    let own = tempfile::tempdir_in("/tmp").unwrap();
    let memory = Recordar::open(config(&own.path().join("own.db")), crate::ticking()).unwrap();
    let report = ingest(&memory, &request("op", &[&folder.join("secret.txt")]));
    println!("file: {}", report.files[0].error.as_ref().unwrap().code);
    let refused = Recordar::open(config(&folder.join("new.db")), crate::ticking()).err().unwrap();
    println!("folder: {}", refused.code());
    drop(memory);
    let path = own.path().join("own.db");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let result = Recordar::open(config(&path), crate::ticking())
        .and_then(|memory| memory.remember(&ada(), &[Message::new("x")], &operation("x")));
    println!("read-only: {}", result.unwrap_err().code());
    let hidden = own.path().join("files/hidden");
    fs::create_dir_all(&hidden).unwrap();
    fs::write(own.path().join("files/a.md"), "a").unwrap();
    fs::write(hidden.join("b.md"), "b").unwrap();
    let memory = Recordar::open(config(&own.path().join("prune.db")), crate::ticking()).unwrap();
    let mut files = request("first", &[&own.path().join("files")]);
    ingest(&memory, &files);
    fs::set_permissions(&hidden, fs::Permissions::from_mode(0o000)).unwrap();
    files.operation = operation("second");
    files.prune = true;
    println!("pruned: {}", ingest(&memory, &files).totals.retired);
    fs::set_permissions(&hidden, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_full_disk_loses_nothing_and_says_so() {
    let mount = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(mount.path()).status();
    assert!(mounted.is_ok_and(|status| status.success()), "this test mounts a small tmpfs, which root may do");
    struct Unmount<'a>(&'a Path);
    impl Drop for Unmount<'_> {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg("-l").arg(self.0).status();
        }
    }
    let _unmount = Unmount(mount.path());
    let toml = format!("[database]\nurl = \"sqlite:{}\"", mount.path().join("memory.db").display());
    let memory = Recordar::open(recordar::Config::from_toml(&toml, Path::new("/")).unwrap(), crate::ticking()).unwrap();
    let files = tempfile::tempdir().unwrap();
    for number in 0..40 {
        let content = format!("{number} {}", "The sea is wide and the light is small. ".repeat(3000));
        fs::write(files.path().join(format!("{number:02}.txt")), content).unwrap();
    }
    let report = ingest(&memory, &request("op", &[files.path()]));
    let totals = &report.totals;
    assert!(totals.added > 0 && totals.failed == 1 && totals.not_tried > 0, "{totals:?}");
    let error = report.files.iter().find_map(|file| file.error.as_ref()).unwrap();
    assert_eq!(error.code, "disk_full", "{error:?}");
    let stored = memory.documents(&ada()).unwrap();
    assert_eq!(stored.len() as u64, totals.added);
    for document in stored {
        assert!(memory.document_text(&ada(), &document.path, None).unwrap().verified, "{}", document.path);
    }
}

#[test]
fn texts_and_messages_are_checked_at_the_door() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    for (name, content, code) in [
        ("", "x", "invalid"),
        ("a\0b", "x", "invalid"),
        ("a", "", "empty"),
        ("a", " \n", "empty"),
        ("a", "x\0y", "binary"),
    ] {
        let refused = memory.ingest_text(&ada(), text("op", name, content)).unwrap_err();
        assert_eq!(refused.code(), code, "{name:?} {content:?}");
    }
    let long = "x".repeat(1024 * 1024 + 1);
    let bad = [
        Message::new(""),
        Message::new("a\0b"),
        Message::new(&long),
        Message { title: Some("t".into()), ..Message::new("x") },
        Message { thread: Some(String::new()), ..Message::new("x") },
    ];
    for message in bad {
        let refused = memory.remember(&ada(), &[Message::new("good"), message], &operation("op")).unwrap_err();
        assert!(refused.to_string().starts_with("message 2: "), "{refused}");
    }
    assert!(memory.remember(&ada(), &[], &operation("op")).is_err());
    assert!(memory.spaces().unwrap().is_empty(), "nothing was stored");
}

#[test]
fn a_large_file_is_read_within_bounds() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.txt");
    let sparse = fs::File::create(&path).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let report = ingest(&memory, &request("op", &[&path]));
    assert_eq!(report.files[0].error.as_ref().unwrap().code, "too_large", "a terabyte is refused, not read");
}

#[test]
fn a_text_that_was_altered_in_the_database_is_damage() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory.ingest_text(&ada(), text("op", "a.md", "the true text")).unwrap();
    let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    file.execute_batch("UPDATE items SET content = 'another text'").unwrap();
    assert_eq!(memory.document_text(&ada(), "a.md", None).unwrap_err().code(), "database_damaged");
}

#[test]
fn lines_of_a_batch_are_checked_one_by_one() {
    let refused = |batch: &str| Message::from_jsonl(batch.as_bytes()).unwrap_err().what;
    for (batch, line) in [
        ("{\"text\": \"a\"}\n\n{\"txt\": \"b\"}", "line 3: invalid message"),
        ("[\"a\", \"thread\"]", "line 1: invalid message: not a JSON object"),
        ("{\"text\": \"\"}", "line 1: the text is empty"),
        ("{\"text\": \"a\", \"role\": \"king\"}", "line 1: invalid message: unknown variant `king`"),
        ("{\"text\": \"a\", \"title\": \"t\"}", "line 1: a title was given without a thread"),
    ] {
        let what = refused(batch);
        assert!(what.starts_with(line) && what.ends_with("nothing was stored"), "{what}");
    }
    let read = Message::from_jsonl("\u{feff}{\"content\": \"a\"}\r\n".as_bytes()).unwrap();
    assert_eq!(read, [Message::new("a")]);
}

#[test]
fn a_sqlite_file_that_is_taken_away_acknowledges_nothing_more() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory.remember(&ada(), &[Message::new("first")], &operation("first")).unwrap();
    for entry in fs::read_dir(database.folder.path()).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let refused = memory.remember(&ada(), &[Message::new("second")], &operation("second")).unwrap_err();
    assert_eq!(refused.code(), "cannot_connect", "{refused}");
    let refused = memory.remember(&ada(), &[Message::new("third")], &operation("third")).unwrap_err();
    assert!(refused.to_string().contains("no longer exists"), "{refused}");
    assert_eq!(fs::read_dir(database.folder.path()).unwrap().count(), 0, "no empty database takes its place");
}

/// Does one thing over and over while another is done.
fn beside<T>(mut again: impl FnMut() + Send, meanwhile: impl FnOnce() -> T) -> T {
    struct Over<'a>(&'a AtomicBool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Also where something fails.
        let _over = Over(&is_over);
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                again();
            }
        });
        meanwhile()
    })
}

/// One path takes the place of another and gives it back, over and over, while somebody reads.
fn swapping<T>(one: &Path, other: &Path, meanwhile: impl FnOnce() -> T) -> T {
    beside(|| renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap(), meanwhile)
}

#[test]
fn b1_a_link_that_is_swapped_in_while_files_are_read_leads_nowhere() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join("docs").join(name);
    fs::create_dir_all(at("sub")).unwrap();
    for path in ["private.md", "note.md"] {
        fs::write(outside.path().join(path), "the password of the safe is 1234").unwrap();
    }
    fs::write(at("sub/note.md"), "a note").unwrap();
    fs::write(at("note.md"), "a note").unwrap();
    // The links stand ready beside the folder: one to a file, one to a folder with a file of the same name.
    let (file_link, folder_link) = (folder.path().join("file"), folder.path().join("folder"));
    symlink(outside.path().join("private.md"), &file_link).unwrap();
    symlink(outside.path(), &folder_link).unwrap();
    for (place, link) in [(at("note.md"), &file_link), (at("sub"), &folder_link)] {
        swapping(&place, link, || {
            for round in 0..60 {
                let id = format!("{}-{round}", place.file_name().unwrap().display());
                let mut files = request(&id, &[&folder.path().join("docs")]);
                files.force = true;
                for file in ingest(&memory, &files).files {
                    let code = file.error.map(|error| error.code).unwrap_or_default();
                    let expected = ["", "link", "outside_root", "loop", "unreadable", "broken_link"];
                    assert!(expected.contains(&code.as_str()), "{}: {code}", file.path);
                }
            }
        });
    }
    for document in memory.documents(&ada()).unwrap() {
        for version in 1..=document.versions as i64 {
            let stored = memory.document_text(&ada(), &document.path, Some(version)).unwrap();
            assert_eq!(stored.text, "a note", "version {version} of {}", document.path);
        }
    }
}

#[test]
fn b1_a_pipe_that_is_swapped_in_while_files_are_read_is_not_waited_for() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let (note, pipe) = (folder.path().join("docs/note.md"), folder.path().join("pipe"));
    fs::create_dir(folder.path().join("docs")).unwrap();
    fs::write(&note, "a note").unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Who waits for a writer gets one that says nothing: then the pipe was read, as an empty file.
    let write = || {
        for path in [&note, &pipe] {
            let _ = openat(CWD, path, OFlags::WRONLY | OFlags::NONBLOCK, Mode::empty());
        }
    };
    beside(write, || {
        swapping(&note, &pipe, || {
            for round in 0..200 {
                let mut files = request(&format!("op-{round}"), &[&folder.path().join("docs")]);
                files.force = true;
                for file in ingest(&memory, &files).files {
                    let code = file.error.map(|error| error.code).unwrap_or_default();
                    assert!(["", "not_a_file"].contains(&code.as_str()), "round {round}: {code}");
                }
            }
        });
    });
}

#[test]
fn b1_files_that_are_named_for_an_import_are_plain_files() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
        for verb in ["import", "restore"] {
            // A folder may be an export of several files.
            if verb == "import" && path == folder.path() {
                assert_eq!(call(&memory, verb, json!({"file": path})).unwrap_err().code(), "invalid");
                continue;
            }
            let refused = call(&memory, verb, json!({"file": path})).unwrap_err();
            assert_eq!(refused.code(), "unreadable", "{verb}: {refused}");
            assert!(refused.remedy().contains("use - "), "{}", refused.remedy());
        }
    }
    fs::write(folder.path().join("chat.txt"), "Ada: hello\nBob: hi\nAda: bye\n").unwrap();
    let link = folder.path().join("link.txt");
    symlink("chat.txt", &link).unwrap();
    let imported = call(&memory, "import", json!({"file": link, "format": "transcript"}));
    assert!(imported.is_ok(), "a link that the user names is followed: {imported:?}");
}
