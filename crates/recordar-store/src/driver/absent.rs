//! Stands for the driver of a server that this program was built without: no connection ever opens, so there is none to use.

use super::Mode;
use crate::failure::Failure;
use crate::url::Password;
use crate::value::{Row, Value};
use std::time::Duration;

pub(crate) enum Connection {}

impl Connection {
    pub(crate) fn open(url: &str, _: Option<&Password>, _: Duration) -> Result<Self, Failure> {
        let (name, feature) = if url.starts_with("mysql") { ("MySQL", "mysql") } else { ("PostgreSQL", "postgres") };
        let remedy = format!("build it with `make full`, or with cargo's `--features {feature}`");
        Err(Failure::connect(format!("this program was built without {name}"), remedy))
    }

    pub(crate) fn begin(&mut self, _: Mode) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn execute(&mut self, _: &str, _: &[Value]) -> Result<u64, Failure> {
        match *self {}
    }

    pub(crate) fn query(&mut self, _: &str, _: &[Value]) -> Result<Vec<Row>, Failure> {
        match *self {}
    }

    pub(crate) fn insert(&mut self, _: &str, _: &[&str], _: &[Vec<Value>]) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn define(&mut self, _: &str) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn lock_schema(&mut self) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn unlock_schema(&mut self) -> Result<(), Failure> {
        match *self {}
    }

    pub(crate) fn scrub(&mut self) -> Result<bool, Failure> {
        match *self {}
    }

    pub(crate) fn check(&mut self) -> Result<Vec<String>, Failure> {
        match *self {}
    }
}
