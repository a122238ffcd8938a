//! The table of results with budgets and aims.

use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    name: String,
    value: Option<f64>,
    unit: &'static str,
    must: Option<f64>,
    aim: Option<f64>,
    more_is_better: bool,
}

impl Row {
    pub fn new(name: impl Into<String>, value: impl Into<Option<f64>>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            unit,
            must: None,
            aim: None,
            more_is_better: false,
        }
    }

    /// Sets the budget (a maximum) and the aim, if any.
    pub fn at_most(mut self, must: f64, aim: impl Into<Option<f64>>) -> Self {
        (self.must, self.aim) = (Some(must), aim.into());
        self
    }

    pub fn at_least(self, must: f64, aim: impl Into<Option<f64>>) -> Self {
        Self {
            more_is_better: true,
            ..self.at_most(must, aim)
        }
    }

    fn verdict(&self) -> &'static str {
        let (Some(value), Some(must)) = (self.value, self.must) else {
            return "";
        };
        let holds = |bound: f64| {
            if self.more_is_better {
                value >= bound
            } else {
                value <= bound
            }
        };
        match self.aim {
            Some(aim) if holds(aim) => "aim",
            _ if holds(must) => "must",
            _ => "MISSED",
        }
    }

    fn bound(&self, bound: Option<f64>) -> String {
        let sign = if self.more_is_better { "≥" } else { "≤" };
        bound.map_or_else(String::new, |bound| format!("{sign} {}", number(bound)))
    }

    fn cells(&self) -> [String; 6] {
        [
            self.name.clone(),
            self.value.map_or_else(|| "–".to_owned(), number),
            self.unit.to_owned(),
            self.bound(self.must),
            self.bound(self.aim),
            self.verdict().to_owned(),
        ]
    }

    fn json(&self) -> Value {
        let met = Some(self.verdict()).filter(|verdict| !verdict.is_empty());
        json!({"measure": self.name, "value": self.value, "unit": self.unit, "must": self.must, "aim": self.aim, "met": met})
    }
}

/// Three significant digits, with thousands separators.
fn number(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 || value == value.trunc() => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut apart = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) && whole.as_bytes()[place - 1] != b'-' {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart + rest
}

/// The results of the run.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
    /// Number of wrong responses, and the first of them.
    errors: usize,
    first_error: Option<String>,
}

impl Table {
    pub fn add(&mut self, row: Row) {
        eprintln!("  {}", row.cells().join("  ").trim_end());
        self.rows.push(row);
    }

    pub fn failed(&mut self, errors: &[String]) {
        self.errors += errors.len();
        if self.first_error.is_none() {
            self.first_error = errors.first().cloned();
        }
    }

    /// Prints the table to standard output.
    pub fn print(&mut self, about: &[(&str, String)]) {
        self.rows
            .push(Row::new("replies that were not as they should be", self.errors as f64, "").at_most(0.0, 0.0));
        let head = ["measure", "value", "unit", "must", "aim", "met"].map(str::to_owned);
        let lines: Vec<_> = std::iter::once(head).chain(self.rows.iter().map(Row::cells)).collect();
        let width = |column: usize| {
            lines
                .iter()
                .map(|cells| cells[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: [usize; 6] = std::array::from_fn(width);
        for (name, text) in about {
            println!("{name}: {text}");
        }
        println!();
        for [name, value, unit, must, aim, met] in &lines {
            let line = format!(
                "{name:<0$}  {value:>1$}  {unit:<2$}  {must:>3$}  {aim:>4$}  {met}",
                widths[0], widths[1], widths[2], widths[3], widths[4]
            );
            println!("{}", line.trim_end());
        }
        if let Some(error) = &self.first_error {
            println!("\nThe first reply that was not as it should be: {error}");
        }
    }

    /// Writes the same as JSON.
    pub fn write(&self, path: &Path, about: &[(&str, String)]) -> Result<()> {
        let about: serde_json::Map<_, _> = about
            .iter()
            .map(|(name, text)| ((*name).to_owned(), json!(text)))
            .collect();
        let rows: Vec<_> = self.rows.iter().map(Row::json).collect();
        let document = json!({"about": about, "rows": rows, "firstError": self.first_error});
        std::fs::write(path, serde_json::to_string_pretty(&document)? + "\n")?;
        Ok(())
    }
}
