//! `recordar space`: looking at spaces.

use super::{Outcome, open};
use crate::arguments::{Global, Space, SpaceAction};
use crate::output::Output;
use recordar::Error;

pub(crate) fn run(space: &Space, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let SpaceAction::List = space.action;
    let (memory, _) = open(global)?;
    let spaces = memory.spaces()?;
    output.result(&spaces, |output| spaces.iter().for_each(|space| output.line(space)));
    Ok(Outcome::Done)
}
