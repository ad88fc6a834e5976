//! Ctrl-C during a command that writes: it stops at the next safe place, and the command says what was stored. A second one stops at once.

use crate::output::complain;
use recordar::database::Cancel;
use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;

/// As a shell reports a command that Ctrl-C ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// Cancels a call at the first Ctrl-C. If signals cannot be watched, Ctrl-C ends the process as usual.
pub(crate) fn cancel_on_interrupt(cancel: Cancel) {
    let Ok(mut signals) = Signals::new([SIGINT]) else { return };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if cancel.is_cancelled() {
                complain("stopped at once; what was committed before is stored");
                std::process::exit(EXIT_CODE.into());
            }
            complain("stopping … press Ctrl-C again to stop at once");
            cancel.cancel();
        }
    });
}
