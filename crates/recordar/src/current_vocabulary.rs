//! The current version of the store's vocabulary.

use crate::error::Error;
use recordar_domain::Vocabulary;
use recordar_store::{Store, VocabularyAction, VocabularyChange};
use std::sync::{Arc, Mutex, PoisonError};

/// The current version, read again only after a change.
#[derive(Default)]
pub(crate) struct CurrentVocabulary {
    known: Mutex<Option<(i64, Arc<Vocabulary>)>>,
}

impl CurrentVocabulary {
    pub(crate) fn get(&self, store: &Store) -> Result<Arc<Vocabulary>, Error> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (number, history) = store.read(|reading| {
            let number = reading.vocabulary_number()?;
            let is_known = known.as_ref().is_some_and(|(known, _)| *known == number);
            Ok((number, if is_known { None } else { Some(reading.vocabulary_history()?) }))
        })?;
        if let (Some((_, vocabulary)), None) = (known, &history) {
            return Ok(vocabulary);
        }
        let vocabulary = Arc::new(current(&history.unwrap_or_default()));
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((number, Arc::clone(&vocabulary)));
        Ok(vocabulary)
    }
}

/// The current version of a history: the newest, but for those that came with spaces of other stores.
pub(crate) fn current(history: &[VocabularyChange]) -> Vocabulary {
    let own = history.iter().rev().find(|change| change.action != VocabularyAction::Foreign);
    own.map_or_else(Vocabulary::first, |change| change.vocabulary.clone())
}
