//! Clients that send too much, too slowly or nonsense: they get the right status or are cut off, memory is bounded, and others are still served.

use crate::client::{Client, connect, read};
use crate::served::{Served, sqlite};
use serde_json::json;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const MIB: usize = 1024 * 1024;

#[test]
fn ch_25_6_bad_clients_are_bounded_and_others_are_served() {
    let database = sqlite();
    let served = Served::with(&database, "[server]\nidle_seconds = 2\nmax_upload_mib = 32\n");
    let mut good = served.client(None);
    good.call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit at dusk."}]})).is(200);
    let before = served.ram();
    // Each on a connection of its own: idle ones are closed here.
    let fine = || served.client(None).call("recall", "user:ada", &json!({"query": "When is the lamp lit?"})).is(200);
    fine();

    // A body of 100 MB that says so, and one that does not.
    let head = |more: &str| {
        format!("POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}\r\n")
    };
    let mut stream = connect(served.addr).unwrap();
    stream.write_all(head(&format!("Content-Length: {}\r\n", 100 * MIB)).as_bytes()).unwrap();
    let refused = read(&mut BufReader::new(&stream)).unwrap();
    assert_eq!((refused.status, refused.json()["code"].as_str()), (413, Some("too_large")));
    let mut stream = connect(served.addr).unwrap();
    stream.write_all(head("Transfer-Encoding: chunked\r\n").as_bytes()).unwrap();
    let chunk = [format!("{MIB:x}\r\n").as_bytes(), &vec![b' '; MIB], b"\r\n"].concat();
    let sent = (0..100).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!(sent < 100, "it was cut off after {sent} MiB");
    fine();

    // Files that are too large together.
    let large = vec![b'x'; 40 * MIB];
    let addr = served.addr;
    let upload = || Client::new(addr, None).upload("/v1/ingest", &[("x.txt", &large)], &json!({}));
    if let Ok(answer) = std::panic::catch_unwind(upload) {
        assert_eq!(answer.status, 413);
    }
    drop(large);
    fine();

    // Deep JSON, and huge numbers.
    for body in [
        format!("{{\"query\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000)),
        "{\"query\": \"x\", \"top_k\": 99999999999999999999}".to_owned(),
        "{\"query\": \"x\", \"top_k\": 1000000}".to_owned(),
        "{\"query\": \"x\", \"top_k\": -1}".to_owned(),
    ] {
        let answer = served
            .client(None)
            .send("POST", "/v1/recall", &[("Content-Type", "application/json")], body.as_bytes())
            .unwrap();
        assert_eq!(answer.status, 400, "{}", answer.text());
        assert!(answer.body.len() < 4096);
    }
    fine();

    // Headers that are too many, too long, or come too slowly; and a body that does not come.
    let many: String = (0..200).map(|number| format!("X-{number}: x\r\n")).collect();
    for headers in [many, format!("X: {}\r\n", "x".repeat(MIB))] {
        let mut stream = connect(served.addr).unwrap();
        let _ = stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n").as_bytes());
        if let Ok(answer) = read(&mut BufReader::new(&stream)) {
            assert_eq!(answer.status, 431);
        }
    }
    let begun = Instant::now();
    let mut slow = connect(served.addr).unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: ").unwrap();
    let mut silent = connect(served.addr).unwrap();
    silent.write_all(head("Content-Length: 100\r\n").as_bytes()).unwrap();
    assert_eq!(read(&mut BufReader::new(&silent)).unwrap().status, 408);
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&rest));
    assert!(begun.elapsed() < Duration::from_secs(60), "both were cut off");
    fine();

    // A thousand connections that say nothing: they are kept, and closed when they have said nothing for long.
    let idle: Vec<_> = (0..1000).map(|_| connect(served.addr)).collect();
    fine();
    assert!(idle.into_iter().flatten().all(is_closed), "one is left");

    // Somebody who asks for much and takes nothing of it.
    let text = "The lamp is lit at dusk. ".repeat(2000);
    let mut good = served.client(None);
    for number in 0..40 {
        good.call("remember", "user:ada", &json!({"messages": [{"text": format!("{number} {text}")}]})).is(200);
    }
    let lazy: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = connect(served.addr).unwrap();
            let head = "POST /v1/export?space=user:ada HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    fine();
    drop(lazy);

    let garbage: [&[u8]; 4] =
        [b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"POST /v1/recall HTTP/9.9\r\n\r\n", &[0xff; 500]];
    for bytes in garbage {
        let mut stream = connect(served.addr).unwrap();
        let _ = stream.write_all(bytes);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&rest));
    }
    fine();
    let after = served.ram();
    println!("{} MiB before, {} MiB after", before / MIB as u64, after / MIB as u64);
    assert!(after < before + 200 * MIB as u64, "{before} bytes before, {after} after");
}

/// Waits for the end of a connection; not if the server keeps it for longer than a client waits.
fn is_closed(mut stream: TcpStream) -> bool {
    let ended = stream.read_to_end(&mut Vec::new());
    !ended.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn ch_25_6_many_wrong_keys_are_slowed_down() {
    let database = sqlite();
    let (served, clock) = Served::with_clock(&database, "");
    let admin = served.key("admin", &["--admin"]);
    let ask = |key: &str| served.client(Some(key)).call("spaces", "user:ada", &json!({})).status;
    // All in one moment of the server's clock: twenty a second are looked at.
    let tries = || (0..30).map(|number| ask(&format!("rk_{number:064}"))).collect::<Vec<u16>>();
    let expected = [[401; 20].as_slice(), &[429; 10]].concat();
    assert_eq!(tries(), expected);
    // Whoever has a key is served.
    assert_eq!(ask(&admin), 200);
    clock.advance(Duration::from_secs(1));
    assert_eq!(tries(), expected);
}

#[test]
fn ch_25_6_the_rate_of_a_key_is_limited() {
    let database = sqlite();
    let (served, clock) = Served::with_clock(&database, "[server]\nrequests_per_second = 5\n");
    let ask = |_| served.client(None).call("recall", "user:ada", &json!({"query": "x"})).status;
    assert_eq!((0..7).map(ask).collect::<Vec<u16>>(), [200, 200, 200, 200, 200, 429, 429]);
    clock.advance(Duration::from_millis(200));
    assert_eq!((0..2).map(ask).collect::<Vec<u16>>(), [200, 429]);
    assert_eq!(served.client(None).get("/healthz").status, 200);
}
