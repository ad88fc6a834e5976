//! `recordar doctor`: checks the configuration, the disk, the models and the database.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use recordar::doctor::FindingStatus;
use recordar::{Error, Recordar};

pub(crate) const COMMAND: Spec =
    Spec::own(&["doctor"], "Check configuration, disk, models and database", |command| command, run);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let findings = Recordar::doctor(&session.global.overrides()?);
    session.output.result(&findings, |output| {
        for finding in &findings {
            let sign = match finding.status {
                FindingStatus::Ok => "ok     ",
                FindingStatus::Warning => "warning",
                FindingStatus::Failed => "FAILED ",
            };
            output.line(&format!("{sign} {:<13} {}", finding.area, finding.what));
            if let Some(remedy) = &finding.remedy {
                output.line(&format!("        try: {remedy}"));
            }
        }
    });
    let has_failed = findings.iter().any(|finding| finding.status == FindingStatus::Failed);
    Ok(if has_failed { Outcome::Failed } else { Outcome::Done })
}
