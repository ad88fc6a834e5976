//! A caller's own embedder. It is code that we do not know, and often a network behind it: every call runs on its own OS thread,
//! within a time limit, and what comes back is checked before it becomes a vector.

use crate::model::{OwnModel, VectorModel};
use crate::quantise::quantised;
use recordar_domain::{Cancel, Invalid};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// An embedder that a program brings: it turns texts into vectors.
///
/// The same name must always stand for the same vectors. Vectors are stored, and each text is asked for once.
pub trait Embed: Send + Sync {
    /// The model's name, which is stored with its vectors. A changed model needs another name.
    fn name(&self) -> &str;

    /// The number of components of every vector, from 1 to 4096.
    fn dimension(&self) -> usize;

    /// One vector for each text, in their order. The length of a vector does not matter, only its direction.
    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EmbedFailure>;

    /// How long a call of `embed` may take. After that it is left alone, and counts as failed.
    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }
}

/// What a text is for. Many models want another prefix for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A text that is stored, and to be found.
    Passage,
    /// A text that is asked.
    Question,
}

impl TextKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passage => "passage",
            Self::Question => "question",
        }
    }
}

/// Why an embedder could not make vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedFailure(pub String);

impl EmbedFailure {
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Why there are no vectors, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnProblem {
    /// The call failed, or what it returned is of no use. Other texts may do better.
    Failed(Reason),
    /// It does not answer at all, so that asking again now would only take time.
    Away(Reason),
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What happened, in our words.
    what: String,
    /// What the embedder says of it. It may quote the texts, so it is never stored.
    said: Option<String>,
}

impl OwnProblem {
    /// What happened, to be shown.
    pub fn what(&self) -> String {
        match self {
            Self::Failed(Reason { what, said: Some(said) }) | Self::Away(Reason { what, said: Some(said) }) => {
                format!("{what}: {said}")
            }
            _ => self.unquoted().to_owned(),
        }
    }

    /// The same without anything that the embedder says.
    pub fn unquoted(&self) -> &str {
        match self {
            Self::Failed(Reason { what, .. }) | Self::Away(Reason { what, .. }) => what,
            Self::Cancelled => "the call was cancelled",
        }
    }

    /// The same problem, of an embedder that fails again and again.
    pub fn for_long(self) -> Self {
        match self {
            Self::Failed(reason) => Self::Away(reason),
            other => other,
        }
    }

    fn away(what: String) -> Self {
        Self::Away(Reason { what, said: None })
    }
}

const MAX_PATIENCE: Duration = Duration::from_secs(600);
/// Calls that nobody waits for any more and that still run. With more, the embedder is not asked.
const MAX_LEFT: usize = 8;
/// How often a waiting caller looks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(20);
/// The characters of a failure that are shown.
const MAX_SHOWN_CHARS: usize = 300;

/// A caller's embedder with everything around it. Clones are the same one.
#[derive(Clone)]
pub struct OwnEmbedder {
    embed: Arc<dyn Embed>,
    model: Arc<OwnModel>,
    left: Arc<AtomicUsize>,
}

impl OwnEmbedder {
    pub fn new(embed: Arc<dyn Embed>) -> Result<Self, Invalid> {
        let model = Arc::new(OwnModel::new(embed.name(), embed.dimension())?);
        Ok(Self { embed, model, left: Arc::default() })
    }

    pub fn model(&self) -> VectorModel {
        VectorModel::Own(Arc::clone(&self.model))
    }

    /// The vectors of some texts, in their order, in 8 bits.
    pub fn embed(&self, texts: Vec<String>, kind: TextKind, cancel: &Cancel) -> Result<Vec<Vec<i8>>, OwnProblem> {
        let wanted = texts.len();
        let name = self.model.name();
        if self.left.load(Ordering::Acquire) >= MAX_LEFT {
            let what = format!("the embedder {name:?} is still busy with {MAX_LEFT} earlier calls");
            return Err(OwnProblem::away(what));
        }
        let (send, receive) = channel();
        let waited_for = WaitedFor { left: Arc::clone(&self.left), state: Arc::default() };
        let (embed, call) = (Arc::clone(&self.embed), waited_for.clone());
        let patience = self.embed.patience().min(MAX_PATIENCE);
        let spawned = std::thread::Builder::new().name("recordar-embed".to_owned()).spawn(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let made = std::panic::catch_unwind(AssertUnwindSafe(|| embed.embed(&texts, kind)));
            call.end();
            let _ = send.send(made.unwrap_or_else(|panic| Err(EmbedFailure(panic_text(panic.as_ref())))));
        });
        if let Err(error) = spawned {
            return Err(OwnProblem::away(format!("the embedder {name:?} cannot be called: {error}")));
        }
        let started = Instant::now();
        let made = loop {
            match receive.recv_timeout(GLANCE.min(patience)) {
                Ok(made) => break made,
                Err(RecvTimeoutError::Disconnected) => break Err(EmbedFailure::new("its thread ended")),
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    waited_for.leave();
                    return Err(OwnProblem::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if started.elapsed() >= patience => {
                    waited_for.leave();
                    let what = format!("the embedder {name:?} has not answered within {} ms", patience.as_millis());
                    return Err(OwnProblem::away(what));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let made = made.map_err(|EmbedFailure(what)| {
            let said: String = what.chars().take(MAX_SHOWN_CHARS).collect();
            OwnProblem::Failed(Reason { what: format!("the embedder {name:?} failed"), said: Some(said) })
        })?;
        self.checked(&made, wanted).map_err(|what| OwnProblem::Failed(Reason { what, said: None }))
    }

    fn checked(&self, made: &[Vec<f32>], wanted: usize) -> Result<Vec<Vec<i8>>, String> {
        let (name, dimension) = (self.model.name(), self.model.dimension());
        let returned = |what: String| format!("the embedder {name:?} returned {what}");
        if made.len() != wanted {
            return Err(returned(format!("{} vectors for {wanted} texts", made.len())));
        }
        let check = |vector: &Vec<f32>| {
            if vector.len() != dimension {
                let what = format!("a vector with {} components; its dimension is {dimension}", vector.len());
                return Err(returned(what));
            }
            if let Some(component) = vector.iter().find(|component| !component.is_finite()) {
                return Err(returned(format!("a vector with {component}, which is not a finite number")));
            }
            let components: Vec<f64> = vector.iter().copied().map(f64::from).collect();
            Ok(quantised(&components))
        };
        made.iter().map(check).collect()
    }
}

/// A call that somebody waits for, until it ends or is left alone.
#[derive(Clone)]
struct WaitedFor {
    left: Arc<AtomicUsize>,
    state: Arc<AtomicU8>,
}

const LEFT: u8 = 1;
const ENDED: u8 = 2;

impl WaitedFor {
    fn leave(&self) {
        self.left.fetch_add(1, Ordering::AcqRel);
        if self.state.swap(LEFT, Ordering::AcqRel) == ENDED {
            self.left.fetch_sub(1, Ordering::AcqRel);
        }
    }

    fn end(&self) {
        if self.state.swap(ENDED, Ordering::AcqRel) == LEFT {
            self.left.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("it panicked{}", text.map_or(String::new(), |text| format!(": {text}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Returns what a test wants.
    struct Toy<F>(F, Duration);

    impl<F: Fn(&[&str]) -> Result<Vec<Vec<f32>>, EmbedFailure> + Send + Sync> Embed for Toy<F> {
        fn name(&self) -> &str {
            "toy"
        }

        fn dimension(&self) -> usize {
            2
        }

        fn embed(&self, texts: &[&str], _: TextKind) -> Result<Vec<Vec<f32>>, EmbedFailure> {
            (self.0)(texts)
        }

        fn patience(&self) -> Duration {
            self.1
        }
    }

    fn toy(f: impl Fn(&[&str]) -> Result<Vec<Vec<f32>>, EmbedFailure> + Send + Sync + 'static) -> OwnEmbedder {
        OwnEmbedder::new(Arc::new(Toy(f, Duration::from_secs(60)))).unwrap()
    }

    fn embed(own: &OwnEmbedder, texts: &[&str]) -> Result<Vec<Vec<i8>>, OwnProblem> {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        own.embed(texts, TextKind::Passage, &Cancel::default())
    }

    #[test]
    fn i21_embedder_results_are_checked() {
        let check = |made: Vec<Vec<f32>>, expected: Result<Vec<Vec<i8>>, &str>| {
            let found = embed(&toy(move |_| Ok(made.clone())), &["one", "two"]);
            match (&found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(*found, expected),
                (Err(problem @ OwnProblem::Failed(_)), Err(expected)) => {
                    let what = problem.unquoted();
                    assert!(what.contains("\"toy\"") && what.contains(expected), "{what}");
                }
                (_, expected) => panic!("{found:?} rather than {expected:?}"),
            }
        };
        check(vec![vec![0.5, -1.0], vec![0.0, 0.0]], Ok(vec![vec![64, -127], vec![0, 0]]));
        check(vec![vec![1.0, 1.0]], Err("1 vectors for 2 texts"));
        check(vec![vec![1.0, 1.0], vec![1.0]], Err("1 components; its dimension is 2"));
        check(vec![vec![1.0, 1.0], vec![1.0, f32::NAN]], Err("NaN"));
        check(vec![vec![1.0, f32::INFINITY], vec![1.0, 1.0]], Err("inf"));
    }

    #[test]
    fn i21_embedder_failures_and_panics_are_reported() {
        let failed = embed(&toy(|_| Err(EmbedFailure::new("no quota"))), &["a"]).unwrap_err();
        assert_eq!(failed.what(), "the embedder \"toy\" failed: no quota");
        assert_eq!(failed.unquoted(), "the embedder \"toy\" failed");
        let panicked = embed(&toy(|texts| panic!("cannot take {}", texts[0])), &["a"]).unwrap_err();
        assert!(panicked.what().contains("it panicked: cannot take a"), "{panicked:?}");
    }

    #[test]
    fn i21_embedder_that_hangs_is_left_alone_and_not_asked_for_ever() {
        let (open, gate) = channel::<()>();
        let gate = Mutex::new(gate);
        let wait = move |texts: &[&str]| {
            let _ = gate.lock().unwrap().recv();
            Ok(vec![vec![1.0, 0.0]; texts.len()])
        };
        let own = OwnEmbedder::new(Arc::new(Toy(wait, Duration::from_millis(50)))).unwrap();
        for _ in 0..MAX_LEFT {
            assert!(embed(&own, &["a"]).unwrap_err().what().contains("has not answered within 50 ms"));
        }
        assert!(embed(&own, &["a"]).unwrap_err().what().contains("still busy with 8 earlier calls"));
        // The calls that were left alone end, and it is asked again.
        drop(open);
        while own.left.load(Ordering::Acquire) > 0 {
            std::thread::yield_now();
        }
        let own = OwnEmbedder { embed: Arc::new(Toy(|_: &[&str]| Ok(vec![vec![1.0, 0.0]]), MAX_PATIENCE)), ..own };
        assert_eq!(embed(&own, &["a"]), Ok(vec![vec![127, 0]]));
    }

    #[test]
    fn i21_embedder_can_be_cancelled() {
        let (open, gate) = channel::<()>();
        let gate = Mutex::new(gate);
        let own = toy(move |_| {
            let _ = gate.lock().unwrap().recv();
            Ok(Vec::new())
        });
        let cancel = Cancel::default();
        cancel.cancel();
        assert_eq!(own.embed(vec!["a".to_owned()], TextKind::Question, &cancel), Err(OwnProblem::Cancelled));
        drop(open);
    }
}
