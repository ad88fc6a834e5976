//! `recordar space`: lists spaces.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use recordar::Error;
use recordar::verb::verbs;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Spaces>(&["space", "list"], list);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Spaces>(|spaces, output| spaces.0.iter().for_each(|space| output.line(space)))
}
