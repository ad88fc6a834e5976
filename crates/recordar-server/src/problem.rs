//! Errors as RFC 9457 has them, with what to do about it.

use crate::body::{Reply, whole};
use http::StatusCode;
use recordar::Error;
use serde_json::{Map, Value, json};

/// An error on its way to a client.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    code: String,
    detail: String,
    remedy: String,
    more: Map<String, Value>,
    /// Seconds after which to try again.
    pub(crate) retry_after: Option<u32>,
}

/// The HTTP status of an error of the engine, by its code.
pub fn status_of(code: &str) -> StatusCode {
    match code {
        "not_found" | "no_database" | "no_tree" | "empty_paths" => StatusCode::NOT_FOUND,
        "out_of_reach" => StatusCode::FORBIDDEN,
        "operation_reused" | "exists" => StatusCode::CONFLICT,
        "too_large" | "budget_exceeded" => StatusCode::PAYLOAD_TOO_LARGE,
        "model_ceiling" | "model_rate_limited" | "rate_limited" => StatusCode::TOO_MANY_REQUESTS,
        "model_away" | "model_rejected" | "model_reply_unfit" => StatusCode::BAD_GATEWAY,
        "cannot_connect" | "database_busy" | "connection_lost" | "database_contended" => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        "database_read_only" | "database_denied" | "disk_full" => StatusCode::INSUFFICIENT_STORAGE,
        "cancelled" => StatusCode::CONFLICT,
        "timeout" => StatusCode::GATEWAY_TIMEOUT,
        "configuration"
        | "model_configuration"
        | "model_ledger"
        | "model_unrecorded"
        | "schema_newer"
        | "foreign_database"
        | "database_damaged"
        | "reply"
        | "constraint"
        | "database" => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    }
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (code, detail, remedy) = (code.to_owned(), detail.into(), remedy.into());
        Self { status, code, detail, remedy, more: Map::new(), retry_after: None }
    }

    pub(crate) fn after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    pub(crate) fn no_key() -> Self {
        let remedy = "send one as `Authorization: Bearer KEY`; `recordar keys new` makes one";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "this server needs a key, and none was sent", remedy)
    }

    pub(crate) fn wrong_key() -> Self {
        let remedy = "send a valid key as `Authorization: Bearer KEY`; `recordar keys new` makes one";
        let what = "the key is not valid: it is wrong, revoked or expired";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", what, remedy)
    }

    /// The same without what concerns the machine: addresses of databases, paths.
    pub(crate) fn for_strangers(self) -> Self {
        if !self.status.is_server_error() || self.status == StatusCode::BAD_GATEWAY {
            return self;
        }
        let remedy = "try again later; `recordar doctor` on the server says more";
        Self {
            retry_after: self.retry_after,
            ..Self::new(self.status, &self.code, "the server cannot do this now", remedy)
        }
    }

    /// A bug of ours; the cause is on standard error.
    pub(crate) fn broken() -> Self {
        let remedy = "please report it; nothing was stored in part";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the call failed because of a bug in Recordar", remedy)
    }

    pub(crate) fn to_json(&self, request_id: &str) -> Value {
        let mut object = self.more.clone();
        let title = self.status.canonical_reason().unwrap_or("Error");
        object.insert("type".to_owned(), json!(format!("urn:recordar:problem:{}", self.code)));
        object.insert("title".to_owned(), json!(title));
        object.insert("status".to_owned(), json!(self.status.as_u16()));
        object.insert("detail".to_owned(), json!(self.detail));
        object.insert("code".to_owned(), json!(self.code));
        object.insert("remedy".to_owned(), json!(self.remedy));
        object.insert("request_id".to_owned(), json!(request_id));
        Value::Object(object)
    }

    pub(crate) fn reply(&self, request_id: &str) -> Reply {
        let mut reply = Reply::new(whole(self.to_json(request_id).to_string()));
        *reply.status_mut() = self.status;
        let headers = reply.headers_mut();
        headers.insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(http::header::WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(http::header::RETRY_AFTER, seconds.into());
        }
        reply
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = status_of(error.code());
        let mut problem = Self::new(status, error.code(), error.to_string(), error.remedy());
        problem.more.extend(error.details().map(|(name, details)| (name.to_owned(), details)));
        match status {
            // A spending limit lasts for the day.
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS if error.code() != "model_ceiling" => {
                problem.after(1)
            }
            _ => problem,
        }
    }
}
