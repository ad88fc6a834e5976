//! Ctrl-C during a command that writes: it stops at the next safe place, and the command says what was stored. A second one stops at once.

use crate::output::complain;
use recordar::database::Cancel;
use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use std::time::{Duration, Instant};

/// As a shell reports a command that Ctrl-C ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// `timeout`, and others that start programs, send one Ctrl-C twice: to the process and to its group. Nobody presses it twice so fast.
const SAME_PRESS: Duration = Duration::from_millis(500);

/// Cancels a call at the first Ctrl-C. If signals cannot be watched, Ctrl-C ends the process as usual.
pub(crate) fn cancel_on_interrupt(cancel: Cancel) {
    let Ok(mut signals) = Signals::new([SIGINT]) else { return };
    std::thread::spawn(move || {
        let mut signals = signals.forever();
        if signals.next().is_none() {
            return;
        }
        complain("stopping … press Ctrl-C again to stop at once");
        cancel.cancel();
        let pressed = Instant::now();
        if signals.any(|_| pressed.elapsed() > SAME_PRESS) {
            complain("stopped at once; what was committed before is stored");
            std::process::exit(EXIT_CODE.into());
        }
    });
}
