//! The current version of the store's vocabulary.

use crate::error::Error;
use recordar_domain::Vocabulary;
use recordar_store::{Error as StoreError, Store, VocabularyAction, VocabularyChange};
use std::sync::{Arc, Mutex, PoisonError};

/// The current version, read again only after a change.
#[derive(Default)]
pub struct CurrentVocabulary {
    known: Mutex<Option<(i64, Arc<Vocabulary>)>>,
}

impl CurrentVocabulary {
    pub fn get(&self, store: &Store) -> Result<Arc<Vocabulary>, Error> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let read = store.read(|reading| {
            let number = reading.vocabulary_number()?;
            let is_known = known.as_ref().is_some_and(|(known, _)| *known == number);
            Ok((number, if is_known { None } else { Some(reading.vocabulary_history()?) }))
        });
        let (number, history) = match read {
            // A store begins with the first version, so it is current before there is a store.
            Err(StoreError::NoDatabase { .. }) => return Ok(Arc::new(Vocabulary::first())),
            read => read?,
        };
        if let (Some((_, vocabulary)), None) = (known, &history) {
            return Ok(vocabulary);
        }
        let vocabulary = Arc::new(current(&history.unwrap_or_default()));
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((number, Arc::clone(&vocabulary)));
        Ok(vocabulary)
    }
}

/// All changes; none if there is no database yet.
pub fn history(store: &Store) -> Result<Vec<VocabularyChange>, Error> {
    match store.read(|reading| reading.vocabulary_history()) {
        Err(StoreError::NoDatabase { .. }) => Ok(Vec::new()),
        history => Ok(history?),
    }
}

/// The current version of a history: the newest, but for those that came with spaces of other stores.
pub fn current(history: &[VocabularyChange]) -> Vocabulary {
    let own = history.iter().rev().find(|change| change.action != VocabularyAction::Foreign);
    own.map_or_else(Vocabulary::first, |change| change.vocabulary.clone())
}
