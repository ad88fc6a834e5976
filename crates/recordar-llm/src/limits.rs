//! Ceilings on tokens and money. The maximum cost of a call is reserved before it is made, and replaced by its actual cost
//! afterwards, so that concurrent calls cannot exceed a ceiling together.

use crate::error::{Error, ErrorKind};
use crate::request::Usage;
use crate::table::Price;
use recordar_domain::{Digest, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spend {
    pub tokens: u64,
    /// Billionths of a dollar; 0 if the price is unknown.
    pub nano_usd: u64,
}

impl Spend {
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
        }
    }

    pub(crate) fn of(usage: Usage, price: Option<&Price>) -> Self {
        let pico = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let cost = price.map_or(0, |price| {
            pico(usage.tokens_prompt, price.prompt_pico_usd) + pico(usage.tokens_completion, price.completion_pico_usd)
        });
        Self { tokens: usage.total(), nano_usd: u64::try_from(cost.div_ceil(1000)).unwrap_or(u64::MAX) }
    }
}

/// The most that may be spent; none for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ceiling {
    pub tokens: Option<u64>,
    pub nano_usd: Option<u64>,
}

impl Ceiling {
    pub fn allows(&self, spend: Spend) -> bool {
        self.tokens.is_none_or(|most| spend.tokens <= most) && self.nano_usd.is_none_or(|most| spend.nano_usd <= most)
    }

    /// What exceeds the limit: the tokens or the money.
    fn shortage(&self, spent: Spend, most: Spend) -> String {
        match self.tokens {
            Some(tokens) if spent.tokens.saturating_add(most.tokens) > tokens => {
                format!(
                    "{} tokens, which exceeds the {} left of the limit of {tokens}",
                    most.tokens,
                    tokens.saturating_sub(spent.tokens)
                )
            }
            _ => {
                let money = self.nano_usd.unwrap_or(u64::MAX);
                let left = money.saturating_sub(spent.nano_usd);
                format!("{}, which exceeds the {} left of the limit of {}", usd(most.nano_usd), usd(left), usd(money))
            }
        }
    }
}

/// An amount of money, for display.
pub fn usd(nano: u64) -> String {
    let digits = format!("{:.6}", nano as f64 / 1e9);
    let short = digits.trim_end_matches('0');
    let cents = short.find('.').map_or(0, |point| short.len() - point - 1);
    format!("${short}{}", "0".repeat(2_usize.saturating_sub(cents)))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ceilings {
    pub call: Ceiling,
    pub operation: Ceiling,
    pub day: Ceiling,
}

impl Ceilings {
    pub fn has_money(&self) -> bool {
        [self.call, self.operation, self.day].iter().any(|ceiling| ceiling.nano_usd.is_some())
    }
}

/// The key of a caller, on whose account calls are made. What they cost is a part of the store's spending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The id of the key, which is not secret.
    pub key: String,
    pub max_nano_usd_per_day: Option<u64>,
}

impl Account {
    fn ceiling(&self) -> Ceiling {
        Ceiling { tokens: None, nano_usd: self.max_nano_usd_per_day }
    }
}

/// A reservation for one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    /// Unique.
    pub id: Digest,
    /// Days since 1970, in UTC.
    pub day: i64,
    pub most: Spend,
    /// When it was made, and when it counts as spent: by then its call or its process has ended.
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
    pub account: Option<Account>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    Done,
    /// It fits with what was spent, but not with the reservations of others: those may cost less.
    Wait,
    /// It does not fit with what was spent, which is this.
    Never(Spend),
    /// It does not fit with what was spent on the caller's account, which is this.
    NeverOnAccount(Spend),
}

/// Keeps a day's spending, for everyone who shares the ceiling.
pub trait Ledger: Send + Sync {
    fn reserve(&self, reservation: &Reservation, ceiling: &Ceiling) -> Result<Reserved, Error>;

    /// A reservation that was never settled counts as spent.
    fn settle(&self, reservation: &Reservation, spent: Spend) -> Result<(), Error>;

    fn spent(&self, day: i64) -> Result<Spend, Error>;
}

pub fn day_of(time: Timestamp) -> i64 {
    time.as_micros().div_euclid(86_400_000_000)
}

/// The amounts spent and reserved.
#[derive(Debug, Default)]
pub(crate) struct Purse {
    pub(crate) spent: Spend,
    open: HashMap<Digest, Spend>,
}

impl Purse {
    pub(crate) fn reserve(&mut self, reservation: &Reservation, ceiling: &Ceiling) -> Reserved {
        let reserved = check_ceiling(self.spent, self.set_aside(), reservation.most, ceiling);
        if reserved == Reserved::Done {
            self.open.insert(reservation.id, reservation.most);
        }
        reserved
    }

    fn set_aside(&self) -> Spend {
        self.open.values().fold(Spend::default(), |sum, spend| sum.plus(*spend))
    }

    pub(crate) fn settle(&mut self, reservation: &Reservation, spent: Spend) {
        if self.open.remove(&reservation.id).is_some() {
            self.spent = self.spent.plus(spent);
        }
    }

    /// Cancels a reservation.
    pub(crate) fn release(&mut self, reservation: &Reservation) {
        self.open.remove(&reservation.id);
    }
}

/// The rule of every ledger.
pub fn check_ceiling(spent: Spend, set_aside: Spend, most: Spend, ceiling: &Ceiling) -> Reserved {
    if !ceiling.allows(spent.plus(most)) {
        Reserved::Never(spent)
    } else if !ceiling.allows(spent.plus(set_aside).plus(most)) {
        Reserved::Wait
    } else {
        Reserved::Done
    }
}

/// The rule for the account of a call, before that for everyone.
pub fn check_account(spent: Spend, set_aside: Spend, reservation: &Reservation) -> Reserved {
    let Some(account) = &reservation.account else { return Reserved::Done };
    match check_ceiling(spent, set_aside, reservation.most, &account.ceiling()) {
        Reserved::Never(spent) => Reserved::NeverOnAccount(spent),
        reserved => reserved,
    }
}

/// A ledger in memory, for one process: by day, and by the key of an account.
#[derive(Debug, Default)]
pub struct MemoryLedger(Mutex<BTreeMap<(i64, Option<String>), Purse>>);

impl MemoryLedger {
    fn account_of(reservation: &Reservation) -> Option<(i64, Option<String>)> {
        reservation.account.as_ref().map(|account| (reservation.day, Some(account.key.clone())))
    }
}

impl Ledger for MemoryLedger {
    fn reserve(&self, reservation: &Reservation, ceiling: &Ceiling) -> Result<Reserved, Error> {
        let mut purses = lock(&self.0);
        let account = Self::account_of(reservation);
        if let Some(account) = &account {
            let purse = purses.entry(account.clone()).or_default();
            let reserved = check_account(purse.spent, purse.set_aside(), reservation);
            if reserved != Reserved::Done {
                return Ok(reserved);
            }
        }
        let reserved = purses.entry((reservation.day, None)).or_default().reserve(reservation, ceiling);
        if let (Reserved::Done, Some(account)) = (reserved, account) {
            purses.entry(account).or_default().reserve(reservation, &Ceiling::default());
        }
        Ok(reserved)
    }

    fn settle(&self, reservation: &Reservation, spent: Spend) -> Result<(), Error> {
        let mut purses = lock(&self.0);
        for of in [Some((reservation.day, None)), Self::account_of(reservation)].into_iter().flatten() {
            purses.entry(of).or_default().settle(reservation, spent);
        }
        Ok(())
    }

    fn spent(&self, day: i64) -> Result<Spend, Error> {
        let purses = lock(&self.0);
        Ok(purses.get(&(day, None)).map_or(Spend::default(), |purse| purse.spent.plus(purse.set_aside())))
    }
}

/// A call that exceeds the rest of the daily limit. The remaining amount is not shown, since it concerns all spaces; `models` shows it.
pub(crate) fn over_daily_ceiling(most: Spend, ceiling: &Ceiling) -> Error {
    let tokens = ceiling.tokens.map(|tokens| format!("{tokens} tokens"));
    let money = ceiling.nano_usd.map(usd);
    let day: Vec<String> = tokens.into_iter().chain(money).collect();
    Error::new(
        ErrorKind::Ceiling,
        format!(
            "the call may take up to {} tokens, which exceeds what is left of today's limit of {}",
            most.tokens,
            day.join(" and ")
        ),
        "request less, lower llm.max_output_tokens, or raise llm.max_tokens_per_day or llm.max_usd_per_day; `recordar models list` shows today's spending",
    )
}

/// A call that exceeds the rest of the daily limit of its caller's key.
pub(crate) fn over_account(most: Spend, account: &Account, spent: Spend) -> Error {
    let shortage = account.ceiling().shortage(spent, most);
    Error::new(
        ErrorKind::Ceiling,
        format!("the call may take up to {shortage} a day for the API key {}", account.key),
        "request less, or ask an administrator for a key with a higher limit; `recordar keys list` shows what each key has spent today",
    )
}

/// A limit on money that cannot be kept.
pub(crate) fn unpriced_account(account: &Account) -> Error {
    Error::new(
        ErrorKind::Ceiling,
        format!("its price is unknown, so the limit of the API key {} cannot be enforced", account.key),
        "set the price in llm.models_file, or use a key without a limit",
    )
}

pub(crate) fn over_ceiling(which: &str, key: &str, most: Spend, ceiling: &Ceiling, spent: Spend) -> Error {
    Error::new(
        ErrorKind::Ceiling,
        format!("the call may take up to {} for {which}", ceiling.shortage(spent, most)),
        format!("request less, lower llm.max_output_tokens, or raise llm.max_tokens_{key} or llm.max_usd_{key}"),
    )
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_shown_as_people_write_it() {
        for (nano, shown) in [(0, "$0.00"), (1_500_000_000, "$1.50"), (123_000, "$0.000123"), (2_000_000_000, "$2.00")]
        {
            assert_eq!(usd(nano), shown);
        }
    }

    #[test]
    fn prices_are_rounded_up() {
        let price = Price { prompt_pico_usd: 150_000, completion_pico_usd: 600_000, dated: String::new() };
        let usage = Usage { tokens_prompt: 1, tokens_completion: 1 };
        assert_eq!(Spend::of(usage, Some(&price)), Spend { tokens: 2, nano_usd: 750 });
        let price = Price { prompt_pico_usd: 1, completion_pico_usd: 0, dated: String::new() };
        assert_eq!(Spend::of(usage, Some(&price)).nano_usd, 1);
        let huge = Usage { tokens_prompt: u64::MAX, tokens_completion: u64::MAX };
        assert_eq!(Spend::of(huge, Some(&price)).tokens, u64::MAX);
    }
}
