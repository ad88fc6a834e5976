//! What a reply consists of: a whole text, or parts that come in while a call runs.

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::Receiver;

pub(crate) type ReplyBody = UnsyncBoxBody<Bytes, io::Error>;
pub(crate) type Reply = http::Response<ReplyBody>;

/// A part of a reply. An error breaks off the connection, so that no client takes what it has for everything.
pub(crate) type Part = Result<Bytes, io::Error>;

pub(crate) fn whole(bytes: impl Into<Bytes>) -> ReplyBody {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// Parts as they come. `kept` is dropped with the body.
pub(crate) fn streamed(first: Option<Bytes>, parts: Receiver<Part>, kept: impl Send + 'static) -> ReplyBody {
    Streamed { first, parts, kept: Box::new(kept) }.boxed_unsync()
}

/// Another body that holds on to something until it ends.
pub(crate) fn holding<B>(body: B, kept: impl Send + 'static) -> ReplyBody
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: std::fmt::Display,
{
    let kept = Box::new(kept);
    body.map_err(move |error| {
        let _ = &kept;
        io::Error::other(error.to_string())
    })
    .boxed_unsync()
}

struct Streamed {
    first: Option<Bytes>,
    parts: Receiver<Part>,
    #[expect(dead_code, reason = "it is held until the reply ends")]
    kept: Box<dyn Send>,
}

impl Body for Streamed {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        self.parts.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data)))
    }
}
