//! The formats of other systems, and what an export of one holds.

use recordar_domain::{Invalid, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An export of another system, as far as its format is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ForeignFormat {
    ChatGpt,
    Claude,
    Mem0,
    Zep,
    Transcript,
    Irc,
    Slack,
}

impl ForeignFormat {
    pub const ALL: [Self; 7] =
        [Self::ChatGpt, Self::Claude, Self::Mem0, Self::Zep, Self::Transcript, Self::Irc, Self::Slack];

    pub fn name(self) -> &'static str {
        match self {
            Self::ChatGpt => "chatgpt",
            Self::Claude => "claude",
            Self::Mem0 => "mem0",
            Self::Zep => "zep",
            Self::Transcript => "transcript",
            Self::Irc => "irc",
            Self::Slack => "slack",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            Invalid::new(
                format!("unrecognised import format {name:?}"),
                "use chatgpt, claude, mem0, zep, transcript, irc or slack, or leave it out to detect the format",
            )
        })
    }

    /// The expected input, for an error.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::ChatGpt => "use ChatGPT's data export as it was downloaded, or the conversations.json in it",
            Self::Claude => "use claude.ai's data export as it was downloaded, or the conversations.json in it",
            Self::Mem0 => "use the result of mem0's get_all() as JSON: {\"results\": [{\"id\": …, \"memory\": …}]}",
            Self::Zep => "use a thread as JSON, {\"thread_id\": …, \"messages\": […]}, or {\"edges\": […]} of a graph",
            Self::Transcript => "use UTF-8 text with at least two lines such as `Ada: I take the 8:15 train.`",
            Self::Irc => {
                "use a log of irssi, WeeChat, ZNC or HexChat, or lines such as `[10:15] <ada> I take the 8:15 train.`"
            }
            Self::Slack => {
                "use Slack's export as it was downloaded, or its folder, with channels.json and a folder for each channel"
            }
        }
    }
}

/// The contents of a file, before any message is passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    pub format: ForeignFormat,
    /// In the order in which they begin in the file.
    pub conversations: Vec<Surveyed>,
}

/// One conversation, or the memories of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// The user id in the export, if any (mem0, zep).
    pub user_id: Option<String>,
    /// Stable: the same conversation gets the same name in a later export, such as `chatgpt:<id>`. None for memories
    /// outside any conversation.
    pub thread: Option<String>,
    pub title: Option<String>,
    /// How many of its messages are passed on.
    pub messages: usize,
}

/// Messages of one conversation, in order: all of them, or as many as one transaction takes.
pub struct Piece {
    /// Its place in the survey.
    pub conversation: usize,
    /// Each with its original id, by which a later import recognises it.
    pub messages: Vec<(String, Message)>,
}

/// Something that was left out or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// The conversation or the message, as `thread/id`.
    pub subject: String,
    /// A short code, such as `empty`, `hidden` or `other_branch`.
    pub reason: &'static str,
    pub detail: String,
}
