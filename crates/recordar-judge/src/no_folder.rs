//! Stands for models from folders in a program that was built without them: none ever loads, so there is none to ask.

use crate::error::JudgeError;
use crate::kind::JudgeKind;
use std::ops::Range;
use std::path::Path;

pub(crate) enum FolderModel {}

#[derive(Default)]
pub(crate) struct FolderSpace;

impl FolderModel {
    pub(crate) fn load(folder: &Path, _: Option<&str>) -> Result<Self, JudgeError> {
        let problem = "this program was built without ONNX models from folders";
        Err(JudgeError::file(folder, problem, "build it with `make full`, or with cargo's `--features onnx`"))
    }

    pub(crate) fn name(&self) -> &str {
        match *self {}
    }

    pub(crate) fn hash(&self) -> &str {
        match *self {}
    }

    pub(crate) fn bytes(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn kind(&self) -> JudgeKind {
        match *self {}
    }

    pub(crate) fn relevance(
        &self,
        _: &str,
        _: &str,
        _: &FolderSpace,
    ) -> Result<(f32, Range<usize>, usize), JudgeError> {
        match *self {}
    }

    pub(crate) fn entailment(&self, _: &str, _: &str, _: &FolderSpace) -> Result<([f32; 3], Range<usize>), JudgeError> {
        match *self {}
    }

    pub(crate) fn embed(&self, _: &str, _: &FolderSpace) -> Result<Vec<f32>, JudgeError> {
        match *self {}
    }

    pub(crate) fn window(&self, _: &str, _: &str) -> Result<Range<usize>, JudgeError> {
        match *self {}
    }
}
