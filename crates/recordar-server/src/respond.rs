//! A request from beginning to end: who asks, may it, what is done, and what is noted of it.

use crate::body::{Reply, holding, whole};
use crate::calls::{Asked, OPERATION, json_reply, prefers_async};
use crate::gate::{self, Passed, Refusal};
use crate::identity::{self, COOKIE_NAME, Identity};
use crate::noted::Noted;
use crate::problem::Problem;
use crate::route::{Route, query_value};
use crate::running::{CallId, Whose};
use crate::server::Server;
use crate::telemetry::{Parent, Span};
use crate::workbench::Asset;
use crate::{openapi, page, uploads, workbench};
use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use recordar::Timestamp;
use recordar::call::{Effect, ReachKind, VerbEntry};
use recordar::database::Cancel;
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The page of the API may use nothing but its own style.
const PAGE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Counts a request when it was answered: also if its client has gone before.
struct Counted {
    server: Arc<Server>,
    method: Method,
    route: &'static str,
    parent: Option<Parent>,
    began: Timestamp,
    started: Instant,
    noted: Arc<Noted>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let (server, route, status, took) = (&self.server, self.route, self.noted.status(), self.started.elapsed());
        server.metrics.count(route, status, took);
        if let Some(telemetry) = &server.telemetry {
            let (parent, method) = (self.parent.take(), self.method.to_string());
            let request_id = self.noted.request_id.clone();
            telemetry.add(Span { parent, method, route, status, request_id, began: self.began, took });
        }
    }
}

/// Where a request comes from.
struct Client {
    address: IpAddr,
    scheme: &'static str,
}

pub(crate) async fn respond(server: Arc<Server>, peer: SocketAddr, is_tls: bool, request: Request<Incoming>) -> Reply {
    let request_id = request_id(request.headers());
    let client = client(&server, peer, is_tls, request.headers());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let passed = gate::pass(request.headers(), &server.settings, client.scheme);
    let route = Route::of(&path);
    let is_audited = path.starts_with("/v1/") || path == "/mcp" || path == "/session";
    let name = route.as_ref().map_or("none", Route::name);
    let noted =
        Arc::new(Noted::new(is_audited.then(|| Arc::clone(&server)), &request_id, client.address, (&method, name)));
    let _counted = Counted {
        server: Arc::clone(&server),
        method: method.clone(),
        route: name,
        parent: request.headers().get("traceparent").and_then(|value| Parent::parse(value.to_str().ok()?)),
        began: server.engine.now(),
        started: Instant::now(),
        noted: Arc::clone(&noted),
    };
    let answered = match (&passed, route) {
        (Err(refusal), _) => Err(turned_away(*refusal)),
        (Ok(Passed::Page(_)), _) if method == Method::OPTIONS => Ok(preflight()),
        (Ok(_), None) => Err(no_such_path(&path)),
        (Ok(_), Some(route)) if !route.methods().contains(&method) => Ok(not_allowed(&route, &method, &request_id)),
        (Ok(_), Some(route)) => answer(&server, &client, route, request, &noted).await,
    };
    let mut reply = answered.unwrap_or_else(|problem| problem.reply(&request_id));
    finish(&mut reply, &request_id, passed.ok());
    noted.replied(reply.status());
    reply
}

async fn answer(
    server: &Arc<Server>,
    client: &Client,
    route: Route<'_>,
    request: Request<Incoming>,
    noted: &Arc<Noted>,
) -> Result<Reply, Problem> {
    let mut known = Err(Problem::no_key());
    if !route.is_open() {
        let identity = identify(server, client, identity::secret(request.headers())).await?;
        let caller = if identity.id().is_empty() { client.address.to_string() } else { identity.id().to_owned() };
        noted.know(|known| known.identity = Some(identity.clone()));
        if !server.rate.take(&caller, || server.engine.now()) {
            return Err(too_often());
        }
        known = Ok(identity);
    }
    let identity = known;
    match route {
        Route::Health => Ok(plain("ok\n")),
        Route::Readiness => ready(server).await,
        Route::OpenApi => Ok(json_reply(StatusCode::OK, openapi::text())),
        Route::Page => Ok(for_browsers(page::page().as_bytes(), "text/html; charset=utf-8", PAGE_POLICY)),
        Route::Asset(asset) => Ok(page_file(asset, request.headers())),
        Route::Metrics if identity.as_ref().is_ok_and(Identity::sees_store) => {
            Ok(prometheus(server.metrics.text(&server.engine.metrics())))
        }
        Route::Metrics => {
            let remedy = "use an administrator's key";
            Err(Problem::new(StatusCode::FORBIDDEN, "out_of_reach", "metrics are for administrators", remedy))
        }
        Route::Session => session(server, client, request, noted).await,
        Route::Mcp => mcp(server, &identity?, request, noted).await,
        Route::Operation(id) => operation(server, &identity?, id, &request, noted).await,
        Route::Verb(verb) => call(server, &identity?, verb, request, noted).await,
    }
}

async fn call(
    server: &Arc<Server>,
    identity: &Identity,
    verb: &'static VerbEntry,
    request: Request<Incoming>,
    noted: &Arc<Noted>,
) -> Result<Reply, Problem> {
    let named = query_value(request.uri().query(), "space")?;
    let space = match (&named, verb.reach) {
        // It is about all of the key's spaces.
        (None, ReachKind::Readable) => server.settings.space.clone(),
        _ => {
            let space = identity.space(named.as_deref(), &server.settings)?;
            noted.know(|known| known.space = Some(space.clone()));
            // Before anything else, so that nothing about a space can be told from how it is refused.
            identity.check_space(&space, verb.effect)?;
            space
        }
    };
    if server.is_stopping() {
        let what = "the server is stopping";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", what, "send the request again").after(1));
    }
    let (parts, body) = request.into_parts();
    let takes_files = verb.is_carried && !verb.is_download();
    let sent = uploads::read(&parts.headers, body, server, takes_files).await?;
    let cancel = match prefers_async(&parts.headers) && verb.is_long {
        // Nobody waits for it.
        true => Cancel::default(),
        false => Cancel::default().until(Instant::now() + server.settings.config.call_time),
    };
    let asked = Asked::new((verb, identity, noted), (space, named.is_some()), &parts.headers, sent, cancel)?;
    let operation = asked.operation().to_owned();
    noted.know(|known| known.operation = Some(operation.clone()));
    let answered = asked.answer(server, &parts.headers).await;
    let mut reply = answered.unwrap_or_else(|problem| problem.reply(&noted.request_id));
    if let Ok(operation) = HeaderValue::from_str(&operation) {
        reply.headers_mut().insert(OPERATION, operation);
    }
    Ok(reply)
}

/// How far a call is, or cancels it.
async fn operation(
    server: &Arc<Server>,
    identity: &Identity,
    id: &str,
    request: &Request<Incoming>,
    noted: &Arc<Noted>,
) -> Result<Reply, Problem> {
    let named = query_value(request.uri().query(), "space")?;
    let space = identity.space(named.as_deref(), &server.settings)?;
    noted.know(|known| known.space = Some(space.clone()));
    identity.check_space(&space, Effect::Reads)?;
    let operation = percent_encoding::percent_decode_str(id).decode_utf8().map(|id| id.into_owned());
    let operation = operation.map_err(|_| no_such_path(id))?;
    noted.know(|known| known.operation = Some(operation.clone()));
    let id = CallId { owner: identity.id().to_owned(), space: space.to_string(), operation: operation.clone() };
    let whose = if identity.sees_store() { Whose::Anyones } else { Whose::Own };
    if *request.method() == Method::DELETE {
        let running = server.running.cancel(&id, whose).ok_or_else(|| {
            let what = format!("no call of this key with the operation id {operation:?} is running in this space");
            Problem::new(
                StatusCode::NOT_FOUND,
                "not_found",
                what,
                "it may have ended: look it up with GET. Calls of other keys are an administrator's to cancel",
            )
        })?;
        return Ok(json_reply(StatusCode::ACCEPTED, running.shown(&id).to_string()));
    }
    if let Some(call) = server.running.find(&id, whose) {
        return Ok(json_reply(StatusCode::OK, call.shown(&id).to_string()));
    }
    // It is not of this process: what the store knows of it.
    let verb = recordar::verb::named("operation").map_err(Problem::from)?;
    let arguments = [("operation".to_owned(), json!(operation))].into_iter().collect();
    let sent = uploads::Sent { arguments, files: None };
    let asked = Asked::new((verb, identity, noted), (space, true), &HeaderMap::new(), sent, Cancel::default())?;
    let parts: Vec<Value> = asked.stored(server).await?;
    // Of work in parts, such as the files of a folder, the store has those that were done.
    let state = match parts.iter().find(|part| part["operation"] == id.operation.as_str()) {
        Some(whole) => whole["state"].clone(),
        None => json!("partial"),
    };
    let kind = parts.first().map_or(Value::Null, |part| part["kind"].clone());
    let shown = json!({"operation": id.operation, "space": id.space, "verb": kind, "state": state, "parts": parts});
    Ok(json_reply(StatusCode::OK, shown.to_string()))
}

/// A page signs in: the key is kept in a cookie that scripts cannot read.
async fn session(
    server: &Arc<Server>,
    client: &Client,
    request: Request<Incoming>,
    noted: &Noted,
) -> Result<Reply, Problem> {
    let secure = if client.scheme == "https" { "; Secure" } else { "" };
    let cookie =
        |value: &str, age: &str| format!("{COOKIE_NAME}={value}; Path=/; HttpOnly; SameSite=Strict{age}{secure}");
    let (parts, body) = request.into_parts();
    let (secret, set) = match parts.method {
        Method::DELETE => {
            let mut reply = Reply::new(whole(""));
            *reply.status_mut() = StatusCode::NO_CONTENT;
            set_cookie(&mut reply, &cookie("", "; Max-Age=0"));
            return Ok(reply);
        }
        Method::POST => {
            let sent = uploads::read_small(&parts.headers, body, &server.settings).await?;
            let key = sent.get("key").and_then(Value::as_str).map(str::to_owned);
            let remedy = "send {\"key\": \"rk_…\"}; `recordar keys new` makes a key";
            let missing = || Problem::new(StatusCode::BAD_REQUEST, "invalid", "the body has no `key`", remedy);
            (Some(key.ok_or_else(missing)?), true)
        }
        _ => (identity::secret(&parts.headers).map(str::to_owned), false),
    };
    let identity = identify(server, client, secret.as_deref()).await?;
    let mut reply = json_reply(StatusCode::OK, identity.shown(&server.settings).to_string());
    noted.know(|known| known.identity = Some(identity));
    if let Some(secret) = secret.filter(|_| set) {
        set_cookie(&mut reply, &cookie(&secret, ""));
    }
    Ok(reply)
}

async fn mcp(
    server: &Arc<Server>,
    identity: &Identity,
    request: Request<Incoming>,
    noted: &Noted,
) -> Result<Reply, Problem> {
    let named = query_value(request.uri().query(), "space")?;
    let space = identity.space(named.as_deref(), &server.settings)?;
    noted.know(|known| known.space = Some(space.clone()));
    identity.check_space(&space, Effect::Reads)?;
    // Read before there is a permit: a client that sends slowly must not keep others from it.
    let (parts, body) = request.into_parts();
    let body = uploads::read_all(&parts.headers, body, server).await?;
    noted.know(|known| known.tool = called_tool(&body));
    let permit = server.permit(true, &space).await?;
    let id = CallId { owner: identity.id().to_owned(), space: space.to_string(), operation: noted.request_id.clone() };
    let stop = Cancel::default().until(Instant::now() + server.settings.config.call_time);
    let running = server.running.begin(&id, "mcp", stop.clone());
    let (read_only, account) = (!identity.may_write(&space), identity.account());
    let settings = recordar_mcp::Settings { space, also: Vec::new(), read_only, account, stop: Some(stop) };
    let most = server.settings.config.max_body_bytes as usize;
    let request = Request::from_parts(parts, Full::new(body));
    let reply = recordar_mcp::respond(server.engine.clone(), settings, most, request).await;
    Ok(reply.map(|body| holding(body, (permit, running))))
}

/// The tool that a message of the protocol calls, if it is one of ours.
fn called_tool(body: &[u8]) -> Option<&'static str> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let name = message["params"]["name"].as_str().filter(|_| message["method"] == "tools/call")?;
    recordar::verb::named(name).ok().map(|verb| verb.name)
}

/// Whoever asks. Looking a key up blocks, so it is done elsewhere unless it is known.
async fn identify(server: &Arc<Server>, client: &Client, secret: Option<&str>) -> Result<Identity, Problem> {
    if let Some(identity) = server.identities.recent(secret) {
        return Ok(identity);
    }
    let (here, has_key, secret) = (Arc::clone(server), secret.is_some(), secret.map(str::to_owned));
    let turn = server.lookups.acquire().await.map_err(|_| Problem::broken())?;
    let looked_up = tokio::task::spawn_blocking(move || here.identities.of(secret.as_deref()));
    let identity = looked_up.await.map_err(|_| Problem::broken())?;
    drop(turn);
    let identity = identity.map_err(|error| Problem::from(error).for_strangers())?;
    if let Some(identity) = identity.clone() {
        let here = Arc::clone(server);
        tokio::task::spawn_blocking(move || here.identities.note_use(&identity));
    }
    identity.ok_or_else(|| match server.wrong_keys.take(&client.address.to_string(), || server.engine.now()) {
        true if has_key => Problem::wrong_key(),
        true => Problem::no_key(),
        false => too_often(),
    })
}

async fn ready(server: &Arc<Server>) -> Result<Reply, Problem> {
    if server.is_stopping() {
        let what = "the server is stopping";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", what, "ask another server"));
    }
    let here = Arc::clone(server);
    let turn = server.lookups.acquire().await.map_err(|_| Problem::broken())?;
    let asked = tokio::task::spawn_blocking(move || here.engine.had_keys()).await;
    drop(turn);
    match asked.map_err(|_| Problem::broken())? {
        Ok(_) => Ok(plain("ready\n")),
        // Details would tell strangers of the database.
        Err(_) => {
            let what = "the database cannot be used";
            Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", what, "see `recordar doctor` on the server"))
        }
    }
}

/// The id of a request: the client's own, if it is a plain word, or a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok());
    let is_plain = |id: &&str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
    };
    given.filter(is_plain).map_or_else(|| uuid::Uuid::new_v4().to_string(), str::to_owned)
}

/// Where a request comes from. Only a trusted proxy may speak for others.
fn client(server: &Server, peer: SocketAddr, is_tls: bool, headers: &HeaderMap) -> Client {
    let own = Client { address: peer.ip().to_canonical(), scheme: if is_tls { "https" } else { "http" } };
    let trusted = &server.settings.config.trusted_proxies;
    if !trusted.contains(&own.address) {
        return own;
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // The last address that is not a proxy of ours: those before it can be made up.
    let lines = headers.get_all("x-forwarded-for").iter().rev().filter_map(|value| value.to_str().ok());
    let forwarded = lines.flat_map(|line| line.rsplit(',')).map(str::trim);
    let mut addresses = forwarded.map_while(|address| address.parse::<IpAddr>().ok());
    let address = addresses.find(|address| !trusted.contains(address)).unwrap_or(own.address);
    let scheme = if header("x-forwarded-proto") == Some("https") { "https" } else { own.scheme };
    Client { address, scheme }
}

fn finish(reply: &mut Reply, request_id: &str, passed: Option<Passed>) {
    let headers = reply.headers_mut();
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Some(Passed::Page(origin)) = passed {
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        if let Ok(origin) = HeaderValue::from_str(&origin) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        }
        let exposed = HeaderValue::from_static("Location, Recordar-Operation, Retry-After, X-Request-Id");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

fn preflight() -> Reply {
    let mut reply = Reply::new(whole(""));
    *reply.status_mut() = StatusCode::NO_CONTENT;
    let headers = reply.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    let allowed = "Authorization, Content-Type, Accept, Idempotency-Key, Prefer, X-Request-Id, Mcp-Protocol-Version";
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(allowed));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    reply
}

fn turned_away(refusal: Refusal) -> Problem {
    let (what, remedy) = match refusal {
        Refusal::Host => ("this host name is not allowed", "add it to server.allowed_hosts, or use localhost"),
        Refusal::Origin => ("pages of this origin may not call the server", "add it to server.allowed_origins"),
    };
    let code = if refusal == Refusal::Host { "host_not_allowed" } else { "origin_not_allowed" };
    Problem::new(StatusCode::FORBIDDEN, code, what, remedy)
}

fn too_often() -> Problem {
    let what = "too many requests in one second";
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", what, "wait a moment and send it again").after(1)
}

fn no_such_path(path: &str) -> Problem {
    let shown: String = path.chars().take(100).collect();
    let what = format!("no such path: {shown:?}");
    Problem::new(StatusCode::NOT_FOUND, "no_such_path", what, "see /docs for all paths")
}

fn not_allowed(route: &Route<'_>, method: &Method, request_id: &str) -> Reply {
    let methods = route.methods().iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
    let what = format!("the method {method} is not allowed here");
    let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", what, format!("use {methods}"));
    let mut reply = problem.reply(request_id);
    if let Ok(methods) = HeaderValue::from_str(&methods) {
        reply.headers_mut().insert(header::ALLOW, methods);
    }
    reply
}

fn set_cookie(reply: &mut Reply, cookie: &str) {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        reply.headers_mut().insert(header::SET_COOKIE, cookie);
    }
}

fn plain(text: &'static str) -> Reply {
    of_kind(text, "text/plain; charset=utf-8")
}

fn prometheus(text: String) -> Reply {
    of_kind(text, "text/plain; version=0.0.4; charset=utf-8")
}

fn for_browsers(bytes: &'static [u8], kind: &'static str, policy: &'static str) -> Reply {
    let mut reply = of_kind(bytes, kind);
    reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    reply
}

/// A file of the workbench, compressed for whoever takes it.
fn page_file(asset: &'static Asset, headers: &HeaderMap) -> Reply {
    let given = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let takes_deflate = given.flat_map(|value| value.split(',')).any(|one| one.trim().eq_ignore_ascii_case("deflate"));
    let bytes = if takes_deflate { asset.deflated() } else { asset.bytes };
    let mut reply = for_browsers(bytes, asset.kind, workbench::POLICY);
    reply.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if takes_deflate {
        reply.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("deflate"));
    }
    reply
}

fn of_kind(text: impl Into<bytes::Bytes>, kind: &'static str) -> Reply {
    let mut reply = Reply::new(whole(text));
    reply.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    reply
}
