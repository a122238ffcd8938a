//! What the model is given: the rules and the brand, the state of the plan, and the newest messages.

pub mod brand;
pub mod builder;
pub mod form;
pub mod history;
pub mod plan;
mod rules;
#[cfg(test)]
mod size_tests;
pub mod window;
