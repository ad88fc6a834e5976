//! Files as people have them, and hostile ones, of every format. Small ones are written here; those of other programs are in `tests/files`.

use crate::{Loaded, Refused, load};
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use recordar_domain::FileType;
use recordar_domain::text::Structure;

const LIMIT: u64 = 8 * 1024 * 1024;

fn read(bytes: impl Into<Vec<u8>>, file_type: FileType) -> Result<Loaded, Refused> {
    load(bytes.into(), file_type, LIMIT)
}

fn text(bytes: impl Into<Vec<u8>>, file_type: FileType) -> String {
    read(bytes, file_type).unwrap_or_else(|refused| panic!("{refused:?}")).text
}

fn code(bytes: impl Into<Vec<u8>>, file_type: FileType) -> &'static str {
    read(bytes, file_type).map_or_else(|refused| refused.0.code, |loaded| panic!("it was read: {:.200}", loaded.text))
}

fn sections(text: &str, file_type: FileType) -> Vec<String> {
    let structure = Structure::of(text, file_type).unwrap();
    structure.sections(text).within(0..text.len()).iter().map(|start| start.section.clone()).collect()
}

#[test]
fn i20_formats_plain_files_are_stored_as_they_are() {
    for file_type in
        [FileType::Text, FileType::Markdown, FileType::Json, FileType::Rst, FileType::Jsonl, FileType::Code]
    {
        let file = "\u{feff}# Lamp\r\n\r\n{\"a\": 1}\t\u{c}\n";
        assert_eq!(text(file, file_type), file, "{file_type:?}");
        assert_eq!(code("", file_type), "empty");
        assert_eq!(code(" \n\u{feff}\t", file_type), "empty");
        assert_eq!(code(vec![b'a'; LIMIT as usize + 1], file_type), "too_large");
        assert_eq!(code(b"a\0b".to_vec(), file_type), "binary");
    }
}

#[test]
fn i20_formats_pages_are_their_visible_text() {
    let page = "<!DOCTYPE html><html><head><title>Lamp &amp; oil</title><meta name=author content='Ada'><style>p{}</style>\
        <script>var x = '<p>not text</p>';</script></head><body><nav><a href=/>Home</a></nav><main><h1>The lamp\
        <a class='headerlink' href='#x'>¶</a></h1><p>Fill it   with\n<b>oil</b> at&nbsp;dusk, see <a href='x'>the guide</a>.\
        <ul><li>one<li>two<ol><li>inner</ol></ul><pre><code class='language-sh'>light --now\n# comment</code></pre>\
        <table><tr><th>Part<th>Use<tr><td>wick<td>burns &lt;b&gt;</table><div hidden>secret</div><p style='display: none'>gone\
        <h2>Care</h2>Clean it.<br>Daily. # not a heading<p># nor this</main><footer>© 2026</footer></body></html>";
    let loaded = read(page, FileType::Html).unwrap();
    let expected = "# The lamp\n\nFill it with oil at\u{a0}dusk, see the guide.\n\n- one\n- two\n  1. inner\n\n```sh\nlight --now\n\
        # comment\n```\n\n| Part | Use |\n| wick | burns <b> |\n\n## Care\n\nClean it.\nDaily. # not a heading\n\n\\# nor this\n";
    assert_eq!(loaded.text, expected);
    assert_eq!(loaded.description, [("title", "Lamp & oil".to_owned()), ("author", "Ada".to_owned())]);
    assert_eq!(sections(&loaded.text, FileType::Html), ["The lamp", "The lamp > Care"]);
    // A page without a main part, and one without a heading.
    let plain = text("<title>Oil</title><body><p>Whale oil<p>burns", FileType::Html);
    assert_eq!(plain, "# Oil\n\nWhale oil\n\nburns\n");
    // A menu before the title, without saying so; and an introduction, which is none.
    let menu = "<ul><li><a>About</a><li><a>Usage</a></ul>v1<h1>Path</h1><p>Joins.";
    assert_eq!(text(menu, FileType::Html), "# Path\n\nJoins.\n");
    assert_eq!(text("<p>Long before.<h1>Path</h1><p>Joins.", FileType::Html), "Long before.\n\n# Path\n\nJoins.\n");
    // A layout of tables, an unclosed menu, and text without any tag.
    let old = "<table><tr><td><h1>Log</h1><p>Storm.</td></tr></table><p>Calm.";
    assert_eq!(text(old, FileType::Html), "# Log\n\nStorm.\n\nCalm.\n");
    assert_eq!(text("<nav>everything is in the menu", FileType::Html), "everything is in the menu\n");
    assert_eq!(text("a &lt; b &unknown; &#x1F600;", FileType::Html), "a < b &unknown; 😀\n");
}

#[test]
fn i20_formats_hostile_pages_end() {
    assert_eq!(code("<script>alert(1)</script><style>p{}</style><!-- <p>x</p> -->", FileType::Html), "empty");
    for tag in ["div", "b", "table", "ul", "li", "p", "a", "pre", "svg", "blockquote", "h1", "td"] {
        let deep = format!("{}the end", format!("<{tag}>").repeat(20_000));
        let read = read(deep, FileType::Html);
        assert!(read.is_ok() || tag == "svg", "{tag}");
    }
    let attributes: String = (0..50_000).map(|number| format!(" a{number}='x'")).collect();
    assert_eq!(text(format!("<p{attributes}>lamp"), FileType::Html), "lamp\n");
    assert_eq!(text("<p>lamp</p><p", FileType::Html), "lamp\n");
    let cells = format!("<table><tr>{}", "<td>x".repeat(100_000));
    assert_eq!(text(cells, FileType::Html).matches('x').count(), 100_000);
}

#[test]
fn i20_formats_notebooks_are_their_cells() {
    let notebook = r##"{"cells": [{"cell_type": "markdown", "source": ["# Lamps\n", "Of oil."]},
        {"cell_type": "code", "source": "print('lit')", "outputs": [{"output_type": "stream", "text": ["lit\n"]},
        {"data": {"image/png": "iVBOR", "text/plain": "<Figure>"}}]}, {"cell_type": "raw", "source": "# raw"}],
        "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}"##;
    let expected = "# Lamps\nOf oil.\n\n```python\nprint('lit')\n```\n\n```output\nlit\n<Figure>\n```\n\n\\# raw\n";
    assert_eq!(text(notebook, FileType::Notebook), expected);
    let old = r#"{"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": "Oil"}, {"cell_type": "code", "input": "1"}]}]}"#;
    assert_eq!(text(old, FileType::Notebook), "## Oil\n\n```python\n1\n```\n");
    let long = format!(
        r#"{{"cells": [{{"cell_type": "code", "source": "x", "outputs": [{{"text": {:?}}}]}}]}}"#,
        "9\n".repeat(5000)
    );
    assert!(text(long, FileType::Notebook).len() < 200, "outputs are shortened");
    // Values of other types are no text; broken ones are refused.
    assert_eq!(code(r#"{"cells": [{"cell_type": 7, "source": {"a": null}}]}"#, FileType::Notebook), "empty");
    for broken in ["{\"cells\": [", "7", "not json", &format!("{{\"cells\": {}", "[".repeat(100_000))] {
        assert_eq!(code(broken, FileType::Notebook), "damaged");
    }
}

#[test]
fn i20_formats_rows_say_their_columns() {
    let check = |table: &str, expected: &str| assert_eq!(text(table, FileType::Csv), expected, "{table}");
    check("name,born\nAda,1815\nBob,\n", "name: Ada\nborn: 1815\n\nname: Bob\n\n");
    check(
        "\u{feff}name;note\r\n\"A;da\";\"said \"\"lit\"\"\r\n\r\nand left\"\r\n",
        "name: A;da\nnote: said \"lit\"\n  and left\n\n",
    );
    check("name\tborn\nAda, Countess\t1815\n", "name: Ada, Countess\nborn: 1815\n\n");
    check("sep=|\na|b\n1|2\n", "a: 1\nb: 2\n\n");
    // Without a header, and with more values than names.
    check("1,2\n3,4\n", "column 1: 1\ncolumn 2: 2\n\ncolumn 1: 3\ncolumn 2: 4\n\n");
    check("a,b\n1,2,3\n", "a: 1\nb: 2\ncolumn 3: 3\n\n");
    check("name,born\n", "name\nborn");
    assert_eq!(read("a,b\n1,\"never closed\n", FileType::Csv).unwrap().notes[0].code, "open_quote");
}

#[test]
fn i20_formats_wide_and_swelling_tables_are_bounded() {
    let header: String = (0..100_000).map(|number| format!("c{number},")).collect();
    let row = "1,".repeat(100_000);
    let wide = text(format!("{}\n{}\n", header.trim_end_matches(','), row.trim_end_matches(',')), FileType::Csv);
    assert!(wide.ends_with("c99999: 1\n\n"));
    assert_eq!(code(format!("{header}x\n1\n"), FileType::Csv), "too_wide");
    assert_eq!(code(",".repeat(7_000_000), FileType::Csv), "too_wide");
    let swelling = format!("{}\n{}", "n".repeat(150), "1\n".repeat(500_000));
    assert_eq!(code(swelling, FileType::Csv), "too_large");
}

#[test]
fn i20_formats_mails_are_who_when_and_what() {
    let mail = "From: =?utf-8?q?Ad=C3=A9?= <ade@example.org>\r\nTo: Bob <bob@example.org>, c@example.org\r\n\
        Subject: =?iso-8859-1?Q?Caf=E9?= lamp\r\nDate: Mon, 2 Feb 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n\
        --c\r\nContent-Type: text/html\r\n\r\n<p>not this</p>\r\n--c\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\nThe caf=E9 lamp =\r\nis lit.\r\n--c--\r\n--b\r\n\
        Content-Type: application/pdf; name=plan.pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\
        Content-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--b--\r\n";
    let loaded = read(mail, FileType::Email).unwrap();
    let expected = "Subject: Café lamp\nFrom: Adé <ade@example.org>\nTo: Bob <bob@example.org>, c@example.org\n\
        Date: 2026-02-02T10:00:00+01:00\nAttachments: plan.pdf\n\nThe café lamp is lit.\n";
    assert_eq!(loaded.text, expected);
    assert_eq!(loaded.description[0], ("title", "Café lamp".to_owned()));
    let page = "Subject: Page\nContent-Type: text/html\n\n<h1>Lit</h1><script>x</script><p>at dusk\n";
    assert!(text(page, FileType::Email).ends_with("\n# Lit\n\nat dusk\n"));
    let mailbox = "From ada Mon Feb  2 10:00:00 2026\nSubject: One\nFrom: a@b.c\n\nfirst\n>From here\n\nFrom bob Tue\nSubject: Two\n\nsecond\n";
    let mails = text(mailbox, FileType::Email);
    assert_eq!(mails, "Subject: One\nFrom: a@b.c\n\nfirst\nFrom here\n\u{c}Subject: Two\n\nsecond\n");
    assert_eq!(sections(&mails, FileType::Email), ["One", "Two"]);
}

#[test]
fn i20_formats_hostile_mails_end() {
    assert_eq!(code("no mail at all\n\nbody", FileType::Email), "damaged");
    let mut nested = "deepest".to_owned();
    for depth in 0..200 {
        nested = format!(
            "Subject: s{depth}\nContent-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\nContent-Type: message/rfc822\n\n{nested}\n--b{depth}--\n"
        );
    }
    assert!(text(nested, FileType::Email).starts_with("Subject: s199\n"));
    let parts = format!("Subject: many\nContent-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\nx\n".repeat(200_000));
    assert_eq!(code(parts, FileType::Email), "damaged");
    assert_eq!(code("a: b\n".repeat(200_000), FileType::Email), "damaged");
    let box_of_many = format!("From x\n{}", "Subject: s\n\nbody\n\nFrom x\n".repeat(20_000));
    assert_eq!(text(box_of_many, FileType::Email).matches("Subject: s").count(), 20_000);
}

/// A zip archive of these entries.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let packed = compress_to_vec(bytes, 6);
        let sizes = [(packed.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes()].concat();
        let length = (name.len() as u16).to_le_bytes();
        directory.extend([b"PK\x01\x02", &[20, 0, 20, 0, 0, 0, 8, 0][..], &[0; 8], &sizes, &length, &[0; 12]].concat());
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.bytes());
        file.extend([b"PK\x03\x04", &[20, 0, 0, 0, 8, 0][..], &[0; 8], &sizes, &length, &[0, 0]].concat());
        file.extend(name.bytes());
        file.extend(packed);
    }
    let (count, at, size) = (entries.len() as u16, file.len() as u32, directory.len() as u32);
    file.extend(directory);
    file.extend([b"PK\x05\x06", &[0; 4][..], &count.to_le_bytes(), &count.to_le_bytes()].concat());
    file.extend([&size.to_le_bytes()[..], &at.to_le_bytes(), &[0, 0]].concat());
    file
}

const STYLES: &str = "<w:styles><w:style w:styleId='berschrift1'><w:name w:val='heading 1'/></w:style></w:styles>";

fn docx(body: &str) -> Vec<u8> {
    let document = format!("<?xml version='1.0'?><w:document><w:body>{body}</w:body></w:document>");
    let core = "<cp:coreProperties><dc:title>Lamp &amp; oil</dc:title><dc:creator>Ada</dc:creator></cp:coreProperties>";
    zip(&[
        ("word/styles.xml", STYLES.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("docProps/core.xml", core.as_bytes()),
    ])
}

#[test]
fn i20_formats_word_documents_are_headings_lists_and_rows() {
    let run = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let body = [
        format!("<w:p><w:pPr><w:pStyle w:val='berschrift1'/></w:pPr>{}</w:p>", run("The lamp")),
        format!(
            "<w:p>{}<w:r><w:tab/></w:r>{}<w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>",
            run("Fill &amp; "),
            run("light &#8211; now")
        ),
        format!("<w:p><w:pPr><w:numPr><w:ilvl w:val='1'/></w:numPr></w:pPr>{}</w:p>", run("inner")),
        format!(
            "<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc><w:tc><w:p>{}</w:p><w:p>{}</w:p></w:tc></w:tr></w:tbl>",
            run("wick"),
            run("burns"),
            run("well")
        ),
        format!(
            "<mc:AlternateContent><mc:Choice><w:p>{}</w:p></mc:Choice><mc:Fallback><w:p>{}</w:p></mc:Fallback></mc:AlternateContent>",
            run("box"),
            run("box again")
        ),
    ];
    let loaded = read(docx(&body.concat()), FileType::Docx).unwrap();
    assert_eq!(loaded.text, "# The lamp\n\nFill &  light – now\n\n  - inner\n\n| wick | burns well |\n\nbox\n");
    assert_eq!(loaded.description, [("title", "Lamp & oil".to_owned()), ("author", "Ada".to_owned())]);
    let damaged = read(docx("<w:p><w:r><w:t>before</w:t></w:r></w:p><w:p></w:x>"), FileType::Docx).unwrap();
    assert_eq!((damaged.text.as_str(), damaged.notes[0].code), ("before\n", "unread_parts"));
}

#[test]
fn i20_formats_hostile_word_documents_are_refused() {
    let bomb = |bytes: usize| zip(&[("word/document.xml", &vec![b' '; bytes])]);
    assert_eq!(code(bomb(7 * 1024 * 1024), FileType::Docx), "bomb");
    assert_eq!(code(bomb(100 * 1024 * 1024), FileType::Docx), "bomb");
    let deep = docx(&"<w:p>".repeat(100_000));
    assert_eq!(code(deep, FileType::Docx), "damaged");
    let entities = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><w:document><w:t>&b;lamp</w:t></w:document>";
    assert_eq!(text(zip(&[("word/document.xml", entities.as_bytes())]), FileType::Docx), "lamp\n");
    assert_eq!(code(zip(&[("other.xml", b"x")]), FileType::Docx), "damaged");
    assert_eq!(code(b"PK\x05\x06".to_vec(), FileType::Docx), "damaged");
    assert_eq!(code(b"not a zip".to_vec(), FileType::Docx), "damaged");
    assert_eq!(code(vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1], FileType::Docx), "encrypted");
    let whole = docx("<w:p><w:r><w:t>lamp</w:t></w:r></w:p>");
    for end in (0..whole.len()).step_by(7) {
        let _ = read(&whole[..end], FileType::Docx);
    }
}

/// A PDF of these objects, the first of which is the catalog.
fn pdf(objects: &[String]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    for (index, object) in objects.iter().enumerate() {
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
    }
    file.extend(b"trailer\n<< /Root 1 0 R /Info << /Title (Lamp \\(oil\\)) /Author <FEFF00C9> /CreationDate (D:20260131093000Z) >> >>\n%%EOF");
    file
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// A PDF with a page for each content, in Helvetica.
fn pages(contents: &[&str]) -> Vec<u8> {
    let kids: String = (0..contents.len()).map(|index| format!("{} 0 R ", 4 + 2 * index)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Resources << /Font << /F1 3 0 R >> >> >>"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (index, content) in contents.iter().enumerate() {
        objects.push(format!("<< /Type /Page /Parent 2 0 R /Contents {} 0 R >>", 5 + 2 * index));
        objects.push(stream(content));
    }
    pdf(&objects)
}

#[test]
fn i20_formats_pages_of_a_pdf_are_sections() {
    let first =
        "BT /F1 12 Tf 72 720 Td (The lamp is) Tj 0 -14 Td [(lit at du) 20 (sk)] TJ 0 -40 Td (Caf\\351 \\(old\\)) Tj ET";
    let second = "q BT /F1 10 Tf 1 0 0 1 72 700 Tm (exam-) Tj T* 0 -12 Td (ple) Tj ET Q BI /W 1 ID \x01(no text) Tj\x02 EI BT /F1 10 Tf 1 0 0 1 72 650 Tm <656E64> Tj ET";
    let loaded = read(pages(&[first, "", second]), FileType::Pdf).unwrap();
    assert_eq!(loaded.text, "The lamp is\nlit at dusk\n\nCafé (old)\n\u{c}\u{c}example\n\nend\n");
    assert_eq!(sections(&loaded.text, FileType::Pdf), ["page 1", "page 3"]);
    assert_eq!(loaded.notes[0].code, "pages_without_text");
    assert!(loaded.notes[0].what.starts_with("1 of its 3 pages without text (2)"), "{:?}", loaded.notes);
    let expected = [("title", "Lamp (oil)"), ("author", "É"), ("date", "2026-01-31")];
    assert_eq!(loaded.description, expected.map(|(name, value)| (name, value.to_owned())));
}

#[test]
fn i20_formats_fonts_of_a_pdf_say_their_characters() {
    let map = "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <706F> <0002> <D83DDE00> endbfchar \
        1 beginbfrange <0010> <0012> <0061> endbfrange";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Kids [3 0 R] /Resources << /Font << /A 5 0 R /B 8 0 R /C 9 0 R >> >> >>".to_owned(),
        "<< /Type /Page /Contents [4 0 R] >>".to_owned(),
        stream("BT /A 10 Tf <00010010001100120002> Tj /B 10 Tf 0 -12 Td (AB) Tj /C 10 Tf 0 -12 Td <939491E4> Tj ET"),
        "<< /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>".to_owned(),
        stream(map),
        "<< /Subtype /CIDFontType2 /DW 600 /W [16 [500 500 500] 20 30 700] >>".to_owned(),
        "<< /Subtype /Type1 /Encoding << /Differences [65 /eacute /fi] >> >>".to_owned(),
        "<< /Subtype /Type0 /Encoding /90ms-RKSJ-H /DescendantFonts [7 0 R] >>".to_owned(),
    ];
    assert_eq!(text(pdf(&objects), FileType::Pdf), "灯abc😀\néfi\n灯台\n");
}

#[test]
fn i20_formats_pdf_objects_may_be_packed() {
    let packed = |dict: &str, bytes: &[u8]| {
        let packed = compress_to_vec_zlib(bytes, 6);
        [
            format!("<< {dict} /Filter /FlateDecode /Length {} >>\nstream\n", packed.len()).as_bytes(),
            &packed,
            b"\nendstream",
        ]
        .concat()
    };
    let inner = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Kids [3 0 R] >>",
        "<< /Type /Page /Contents 5 0 R /Resources << /Font << /F1 << /Subtype /Type1 >> >> >> >>",
    ];
    let offsets = [0, inner[0].len() + 1, inner[0].len() + inner[1].len() + 2];
    let head = format!("1 {} 2 {} 3 {} ", offsets[0], offsets[1], offsets[2]);
    let objects =
        packed(&format!("/Type /ObjStm /N 3 /First {}", head.len()), format!("{head}{}", inner.join(" ")).as_bytes());
    let content = packed("", b"BT /F1 9 Tf (packed) Tj ET");
    let table = packed("/Type /XRef /Root 1 0 R", b"ignored");
    let file = [
        b"%PDF-1.5\n4 0 obj\n",
        &objects[..],
        b"\nendobj\n5 0 obj\n",
        &content,
        b"\nendobj\n6 0 obj\n",
        &table,
        b"\nendobj\n",
    ]
    .concat();
    assert_eq!(text(file.clone(), FileType::Pdf), "packed\n");
    for end in (0..file.len()).step_by(3) {
        let _ = read(&file[..end], FileType::Pdf);
    }
}

#[test]
fn i20_formats_hostile_pdfs_are_refused() {
    assert_eq!(code(b"not a pdf".to_vec(), FileType::Pdf), "damaged");
    assert_eq!(code(b"%PDF-1.4\n%%EOF".to_vec(), FileType::Pdf), "damaged");
    let mut encrypted = pages(&["BT /F1 9 Tf (x) Tj ET"]);
    encrypted.extend(b"\ntrailer << /Root 1 0 R /Encrypt << /Filter /Standard >> >>");
    assert_eq!(code(encrypted, FileType::Pdf), "encrypted");
    let scanned = read(pages(&["q 100 0 0 100 0 0 cm /Im1 Do Q"; 3]), FileType::Pdf).unwrap_err().0;
    assert_eq!((scanned.code, scanned.what.as_str()), ("no_text", "none of its 3 pages has text: scanned images?"));
    // A stream that unpacks to a gigabyte, twice packed.
    let bomb = compress_to_vec_zlib(&compress_to_vec_zlib(&vec![b' '; 200 * 1024 * 1024], 6), 6);
    let head = format!(
        "%PDF-1.4\n1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj 3 0 obj << /Contents 4 0 R >> endobj \
        4 0 obj << /Filter [/FlateDecode /FlateDecode] /Length {} >> stream\n",
        bomb.len()
    );
    let file = [head.as_bytes(), &bomb, b"\nendstream endobj trailer << /Root 1 0 R >>"].concat();
    assert_eq!(code(file, FileType::Pdf), "bomb");
    // Pages that contain themselves, deep arrays, drawings that draw themselves, a page of a million names.
    let objects = ["<< /Pages 2 0 R >>".to_owned(), "<< /Kids [2 0 R 1 0 R 2 0 R] >>".to_owned()];
    assert!(read(pdf(&objects), FileType::Pdf).is_err());
    assert!(read([b"%PDF-1.4 1 0 obj ".to_vec(), vec![b'['; 1_000_000]].concat(), FileType::Pdf).is_err());
    assert!(read([b"%PDF-1.4 1 0 obj ".to_vec(), b"<<".repeat(500_000)].concat(), FileType::Pdf).is_err());
    assert!(read([b"%PDF-1.4 ".to_vec(), b"1 0 obj<<>>stream\n".repeat(100_000)].concat(), FileType::Pdf).is_err());
    let form =
        stream("/F Do /F Do /F Do /F Do").replace("<<", "<< /Subtype /Form /Resources << /XObject << /F 4 0 R >> >>");
    let objects = [
        "<< /Pages 2 0 R >>".to_owned(),
        "<< /Kids [3 0 R] >>".to_owned(),
        "<< /Contents 4 0 R /Resources << /XObject << /F 4 0 R >> >> >>".to_owned(),
        form,
    ];
    assert!(read(pdf(&objects), FileType::Pdf).is_err());
}

#[test]
fn i20_formats_files_of_other_programs_are_read() {
    let lamp = "The lamp is lit at dusk. Its flame is fed with oil, and its lens turns twice a minute.\n";
    let groff = read(*include_bytes!("../tests/files/groff.pdf"), FileType::Pdf).unwrap();
    assert!(
        groff.text.contains("NAME\nlamp - lights the coast\nDESCRIPTION\n") && groff.text.contains(lamp),
        "{groff:?}"
    );
    let packed = read(*include_bytes!("../tests/files/qpdf-packed.pdf"), FileType::Pdf).unwrap();
    assert_eq!(packed.text, groff.text);
    let qt = text(*include_bytes!("../tests/files/qt.pdf"), FileType::Pdf);
    assert!(
        qt.contains("Its flame is fed with oil — the fine, filtered kind\n") && qt.contains("\nlens bends light\n"),
        "{qt}"
    );
    assert_eq!(code(*include_bytes!("../tests/files/encrypted.pdf"), FileType::Pdf), "encrypted");
    let pandoc = read(*include_bytes!("../tests/files/pandoc.docx"), FileType::Docx).unwrap();
    let expected = "- Trim the wick.\n- Clean the lens:\n  - inside\n  - outside\n\n## Parts\n\n| Part | Use |\n| wick | burns |\n";
    assert!(pandoc.text.starts_with("# The lamp\n\nAda\n\n# Care\n") && pandoc.text.contains(expected), "{pandoc:?}");
    assert_eq!(pandoc.description, [("title", "The lamp".to_owned()), ("author", "Ada".to_owned())]);
}
