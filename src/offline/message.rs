//! What a message says and wants, with what was said and shown before it: numbers, values, cases, parts. Nothing here calls a tool.

pub(super) mod ask;
pub(super) mod cuts;
pub(super) mod lead;
pub(super) mod parts;
pub(super) mod pieces;
pub(super) mod product;
pub(super) mod reading;
pub(super) mod scaled;
pub(super) mod shown;
pub(super) mod sums;
pub(super) mod talked;
pub(super) mod wages;
pub(super) mod written;
