//! A call that nobody waits for any more ends at once, wherever it is, and hangs up; the next one works. A limit on calls at a time holds.

use crate::fixture::{clock, eventually, operation, options, remote, request, settings, text_request};
use crate::replies::{PROVIDERS, Reply};
use recordar_llm::{
    Ceiling, Ceilings, Client, ClientSettings, Error, ErrorKind, Ledger, MemoryLedger, Operation, RemoteOptions,
    Reservation, Reserved, Spend,
};
use recordar_testkit::{Answer, ModelServer, Received};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// What a call may take that is given up, on a machine that is busy, and what it would take otherwise.
const PROMPTLY: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(60);
const FITTING: &str = r#"{"category":"Lamps","id":1}"#;

fn good(provider: &str) -> Answer {
    Answer::json(Reply::new(FITTING).body(provider))
}

/// A server that gives the first answer once, and good ones from then on.
fn server(provider: &'static str, first: Answer) -> ModelServer {
    let calls = AtomicUsize::new(0);
    ModelServer::start(move |_| match calls.fetch_add(1, Ordering::AcqRel) {
        0 => first.clone(),
        _ => good(provider),
    })
}

fn patient(url: &str) -> RemoteOptions {
    RemoteOptions { timeout: PATIENCE, ..options(url, None) }
}

fn client_of(provider: (&str, &str), url: &str, settings: ClientSettings, ledger: Arc<dyn Ledger>) -> Client {
    Client::new(Box::new(remote(provider.0, provider.1, patient(url))), None, settings, ledger, clock()).unwrap()
}

fn plain_client(provider: (&str, &str), url: &str) -> Client {
    let settings = ClientSettings { retries: 3, repairs: 2, ..settings() };
    client_of(provider, url, settings, Arc::new(MemoryLedger::default()))
}

fn ask(client: &Client, operation: &Operation) -> Result<(), Error> {
    client.structured(&request(), operation, &|_| Ok(()))
}

/// Gives a call up as soon as it is somewhere, and holds it to end at once.
fn give_up(operation: &Operation, call: impl FnOnce() -> Result<(), Error> + Send, is_there: impl FnMut() -> bool) {
    std::thread::scope(|scope| {
        let calling = scope.spawn(call);
        let arrived = eventually(is_there);
        operation.cancel.cancel();
        let cancelled = Instant::now();
        let error = calling.join().unwrap().unwrap_err();
        assert!(arrived, "the call did not get there: {error}");
        assert!(cancelled.elapsed() < PROMPTLY, "{:?}: {error}", cancelled.elapsed());
        assert_eq!(error.kind, ErrorKind::Cancelled, "{error}");
        assert!(!error.remedy.is_empty());
    });
}

/// The same against an answer that stays silent; the server sees the end of the connection, and the next call works.
fn check_silence(provider: (&'static str, &'static str), start: &str) {
    let server = server(provider.0, Answer::Silence(start.as_bytes().to_vec()));
    let client = plain_client(provider, &server.url());
    let given_up = operation(&client);
    give_up(&given_up, || ask(&client, &given_up), || server.received().len() == 1);
    assert!(eventually(|| server.open_connections() == 0), "{provider:?} {start:?}: the connection stays");
    assert_eq!(server.received().len(), 1, "{provider:?} {start:?}: it was tried again");
    let calls = given_up.calls();
    assert_eq!((calls.len(), calls[0].outcome.as_str(), calls[0].is_counted), (1, "cancelled", false));
    assert!(calls[0].tokens_prompt > 0, "it may have cost something");
    ask(&client, &operation(&client)).unwrap();
}

#[test]
fn a2_a_call_is_given_up_before_and_amid_its_reply() {
    for provider in PROVIDERS {
        check_silence(provider, "");
        check_silence(provider, "HTTP/1.1 200 OK\r\ncontent-ty");
        check_silence(provider, "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{\"cho");
        check_silence(provider, "HTTP/1.1 100 Continue\r\n\r\n");
        check_silence(provider, "HTTP/1.1 400 Bad Request\r\ncontent-length: 999\r\n\r\n{\"err");
        check_silence(provider, "HTTP/1.1 503 Away\r\ncontent-length: 999\r\n\r\n{\"err");
    }
}

#[test]
fn a2_a_call_is_given_up_amid_a_stream() {
    for provider in PROVIDERS {
        let stream = Reply::new("The lamp is bright.").stream(provider.0, 4);
        let begun = stream.split_inclusive("\n\n").take(3).collect::<String>();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        let server = server(provider.0, Answer::Silence(format!("{head}{begun}").into_bytes()));
        let client = plain_client(provider, &server.url());
        let given_up = operation(&client);
        let heard = Mutex::new(String::new());
        let mut hear = |text: &str| heard.lock().unwrap().push_str(text);
        let call = || client.text(&text_request(), &given_up, Some(&mut hear)).map(drop);
        give_up(&given_up, call, || heard.lock().unwrap().starts_with("The "));
        assert!(eventually(|| server.open_connections() == 0));
        assert_eq!(client.text(&text_request(), &operation(&client), None).unwrap(), FITTING);
    }
}

#[test]
fn a2_a_call_is_given_up_amid_a_stream_without_end() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let server = server("openai", Answer::Endless { start: head.into(), piece: b": still here\n\n".to_vec() });
    let client = plain_client(PROVIDERS[0], &server.url());
    let given_up = operation(&client);
    let call = || client.text(&text_request(), &given_up, Some(&mut |_: &str| {})).map(drop);
    give_up(&given_up, call, || server.received().len() == 1);
    assert!(eventually(|| server.open_connections() == 0));
}

#[test]
fn a2_what_is_cancelled_is_not_begun() {
    let server = server("openai", good("openai"));
    let client = plain_client(PROVIDERS[0], &server.url());
    let cancelled = operation(&client);
    cancelled.cancel.cancel();
    let error = ask(&client, &cancelled).unwrap_err();
    assert_eq!((error.kind, server.received().len()), (ErrorKind::Cancelled, 0));
    assert_eq!((cancelled.calls().len(), client.spent_today().unwrap()), (0, Spend::default()));
}

#[test]
fn a2_a_call_is_given_up_while_it_connects() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let _waiting = fill(address);
    let client = plain_client(PROVIDERS[0], &format!("http://{address}/v1"));
    let given_up = operation(&client);
    give_up(&given_up, || ask(&client, &given_up), || client.spent_today().unwrap().tokens > 0);
}

/// Connections that nobody accepts, until the system lets no more in.
fn fill(address: SocketAddr) -> Vec<TcpStream> {
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_millis(300)).ok();
    (0..10_000).map_while(connect).collect()
}

#[test]
fn a2_a_call_is_given_up_while_it_waits_to_try_again() {
    for header in [("retry-after", "59"), ("retry-after-ms", "59000")] {
        let headers = vec![(header.0.to_owned(), header.1.to_owned())];
        let server = server("openai", Answer::Http { status: 503, headers, body: Vec::new() });
        let client = plain_client(PROVIDERS[0], &server.url());
        let given_up = operation(&client);
        give_up(&given_up, || ask(&client, &given_up), || given_up.calls().len() == 1);
        assert_eq!((server.received().len(), given_up.spent()), (1, Spend::default()));
        ask(&client, &operation(&client)).unwrap();
    }
}

#[test]
fn a2_a_call_is_given_up_while_it_waits_for_its_turn() {
    let server = server("openai", Answer::Silence(Vec::new()));
    let settings = ClientSettings { concurrency: 1, ..settings() };
    let client = client_of(PROVIDERS[0], &server.url(), settings, Arc::new(MemoryLedger::default()));
    let (first, second) = (operation(&client), operation(&client));
    std::thread::scope(|scope| {
        let held = scope.spawn(|| ask(&client, &first));
        assert!(eventually(|| server.received().len() == 1));
        let one = client.spent_today().unwrap().tokens;
        give_up(&second, || ask(&client, &second), || true);
        assert_eq!(second.spent(), Spend::default(), "a call that had no turn costs nothing");
        assert_eq!((server.received().len(), client.spent_today().unwrap().tokens), (1, one));
        first.cancel.cancel();
        assert_eq!(held.join().unwrap().unwrap_err().kind, ErrorKind::Cancelled);
    });
    ask(&client, &operation(&client)).unwrap();
}

/// A ledger that tells how often somebody was sent away to wait.
#[derive(Default)]
struct Watched {
    ledger: MemoryLedger,
    waits: AtomicUsize,
}

impl Ledger for Watched {
    fn reserve(&self, reservation: &Reservation, ceiling: &Ceiling) -> Result<Reserved, Error> {
        let reserved = self.ledger.reserve(reservation, ceiling)?;
        self.waits.fetch_add(usize::from(reserved == Reserved::Wait), Ordering::AcqRel);
        Ok(reserved)
    }

    fn settle(&self, reservation: &Reservation, spent: Spend) -> Result<(), Error> {
        self.ledger.settle(reservation, spent)
    }

    fn spent(&self, day: i64) -> Result<Spend, Error> {
        self.ledger.spent(day)
    }
}

#[test]
fn a2_a_call_is_given_up_while_it_waits_for_what_others_may_leave() {
    let server = server("openai", Answer::Silence(Vec::new()));
    let most =
        client_of(PROVIDERS[0], &server.url(), settings(), Arc::new(MemoryLedger::default())).estimate(&request());
    let tokens = most.tokens_prompt_at_most + most.tokens_completion_at_most;
    let day = Ceiling { tokens: Some(tokens * 2 - 1), nano_usd: None };
    let settings = ClientSettings { ceilings: Ceilings { day, ..Ceilings::default() }, ..settings() };
    let ledger = Arc::new(Watched::default());
    let shared: Arc<dyn Ledger> = Arc::<Watched>::clone(&ledger);
    let client = client_of(PROVIDERS[0], &server.url(), settings, shared);
    let (first, second) = (operation(&client), operation(&client));
    std::thread::scope(|scope| {
        let held = scope.spawn(|| ask(&client, &first));
        assert!(eventually(|| server.received().len() == 1));
        give_up(&second, || ask(&client, &second), || ledger.waits.load(Ordering::Acquire) > 2);
        assert_eq!((second.calls().len(), second.spent()), (0, Spend::default()));
        first.cancel.cancel();
        assert_eq!(held.join().unwrap().unwrap_err().kind, ErrorKind::Cancelled);
    });
}

/// Holds requests until so many are there at a time, or no more can come.
#[derive(Default)]
struct Crowd {
    state: Mutex<(usize, usize, usize)>,
    changed: Condvar,
}

impl Crowd {
    /// In a crowd of at most `limit`, of `all` requests.
    fn enter(&self, limit: usize, all: usize) {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        state.1 = state.1.max(state.0);
        state.2 += 1;
        self.changed.notify_all();
        let is_waiting = |state: &mut (usize, usize, usize)| state.1 < limit && state.2 < all;
        let mut state = self.changed.wait_timeout_while(state, PATIENCE / 2, is_waiting).unwrap().0;
        state.0 -= 1;
    }
}

#[test]
fn a2_no_more_calls_run_at_a_time_than_are_allowed() {
    const THREADS: usize = 16;
    let crowd = Arc::new(Crowd::default());
    let inside = Arc::clone(&crowd);
    let server = ModelServer::start(move |_: &Received| {
        inside.enter(3, THREADS);
        good("anthropic")
    });
    let settings = ClientSettings { concurrency: 3, ..settings() };
    let client = client_of(PROVIDERS[1], &server.url(), settings, Arc::new(MemoryLedger::default()));
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| ask(&client, &operation(&client)))).collect();
        calls.into_iter().for_each(|call| call.join().unwrap().unwrap());
    });
    let (now, most, all) = *crowd.state.lock().unwrap();
    assert_eq!((now, most, all), (0, 3, THREADS));
    assert!(eventually(|| server.open_connections() <= 3), "connections are used again");
}
