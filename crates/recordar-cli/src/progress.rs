//! Progress bars on standard error, with an estimate. They are shown on a terminal only.

use crate::output::Output;
use indicatif::{ProgressBar, ProgressStyle};
use recordar::Recordar;
use recordar::progress::Progress;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A wait that is over sooner shows nothing.
const NOT_WORTH_A_BAR: Duration = Duration::from_millis(300);

/// Of steps that are not bytes.
pub(crate) const STEPS: &str = "{wide_bar} {msg}, {eta} left";

pub(crate) fn bar(output: &Output, template: &str) -> ProgressBar {
    if output.is_json || output.is_quiet {
        return ProgressBar::hidden();
    }
    ProgressBar::new(0).with_style(style(template))
}

pub(crate) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Shows what calls of this memory wait for, such as an index that is built.
pub(crate) fn show_waits(memory: &Recordar, output: &Output) {
    let bar = bar(output, "{msg} {wide_bar} {percent}%, {eta} left");
    if bar.is_hidden() {
        return;
    }
    let wait: Mutex<Option<Wait>> = Mutex::default();
    memory.observe_waits(Arc::new(move |progress| {
        show(&mut wait.lock().unwrap_or_else(PoisonError::into_inner), &bar, &progress);
    }));
}

struct Wait {
    message: String,
    started: Instant,
    is_shown: bool,
}

fn show(wait: &mut Option<Wait>, bar: &ProgressBar, progress: &Progress) {
    let Progress { done, total, message } = progress;
    if done >= total {
        if wait.take().is_some_and(|wait| wait.is_shown) {
            bar.finish_and_clear();
        }
        return;
    }
    let current = wait.take().filter(|wait| wait.message == *message);
    let current =
        current.unwrap_or_else(|| Wait { message: message.clone(), started: Instant::now(), is_shown: false });
    let current = wait.insert(current);
    if current.started.elapsed() < NOT_WORTH_A_BAR {
        return;
    }
    if !current.is_shown {
        current.is_shown = true;
        bar.reset();
        bar.set_message(message.clone());
    }
    bar.set_length(*total);
    bar.set_position(*done);
}
