//! The expansion: officers, conversions and favours (CT-SETUP, CT-ROUND, CT-FAV, CT-COURT, CT-CARD).

pub mod converting;
pub mod favours;
