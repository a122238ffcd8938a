//! The results: each row has the figures of both peers and of plan-advisor, and what must hold of them.

use crate::cells::Cell;
use crate::target::Who;
use serde_json::{Value, json};

/// What a figure may be at most. All are ratios where there is something to compare with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    Value(f64),
    /// So many times the relay's.
    Relay(f64),
    /// Node's, divided.
    Node(f64),
    /// So many times Node's.
    NodeTimes(f64),
}

/// A row of the table.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub name: String,
    unit: &'static str,
    pub relay: Option<Cell>,
    pub node: Option<Cell>,
    pub ours: Option<Cell>,
    must: Vec<Bound>,
    aim: Vec<Bound>,
    /// Whether the short table of README has it.
    pub in_short: bool,
}

impl Row {
    /// A single figure of plan-advisor.
    pub fn new(name: impl Into<String>, value: impl Into<Option<f64>>, unit: &'static str) -> Self {
        Self {
            ours: value.into().and_then(|value| Cell::of(&[value])),
            ..Self::empty(name, unit)
        }
    }

    pub fn empty(name: impl Into<String>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            unit,
            ..Self::default()
        }
    }

    pub fn with(mut self, who: Who, cell: Option<Cell>) -> Self {
        match who {
            Who::Direct => {}
            Who::Relay => self.relay = cell,
            Who::Node => self.node = cell,
            Who::Ours => self.ours = cell,
        }
        self
    }

    /// Sets the budget (a maximum) and the aim, if any.
    pub fn at_most(self, must: f64, aim: impl Into<Option<f64>>) -> Self {
        let aim: Vec<_> = aim.into().map(Bound::Value).into_iter().collect();
        self.bounds(&[Bound::Value(must)], &aim)
    }

    pub fn bounds(mut self, must: &[Bound], aim: &[Bound]) -> Self {
        (self.must, self.aim) = (must.to_vec(), aim.to_vec());
        self
    }

    pub fn short(mut self) -> Self {
        self.in_short = true;
        self
    }

    /// Whether all bounds hold; `None` if one of them is of a peer that was left out.
    fn holds(&self, bounds: &[Bound]) -> Option<bool> {
        let ours = self.ours?.median;
        let most = |bound: &Bound| match *bound {
            Bound::Value(most) => Some(most),
            Bound::Relay(times) => self.relay.map(|relay| relay.median * times),
            Bound::Node(part) => self.node.map(|node| node.median / part),
            Bound::NodeTimes(times) => self.node.map(|node| node.median * times),
        };
        let holds: Vec<_> = bounds.iter().map(|bound| Some(ours <= most(bound)?)).collect();
        if holds.contains(&Some(false)) {
            return Some(false);
        }
        holds.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
    }

    fn verdict(&self) -> &'static str {
        if self.must.is_empty() || self.ours.is_none() {
            return "";
        }
        match (self.holds(&self.must), self.holds(&self.aim)) {
            (Some(false), _) => "MISSED",
            (None, _) => "?",
            (_, Some(true)) if !self.aim.is_empty() => "aim",
            _ => "must",
        }
    }

    fn of_relay(&self) -> Option<f64> {
        Some(self.ours?.median / self.relay?.median).filter(|ratio| ratio.is_finite())
    }

    fn of_node(&self) -> Option<f64> {
        Some(self.node?.median / self.ours?.median).filter(|ratio| ratio.is_finite())
    }

    /// The headings of [`Self::cells`].
    pub const HEAD: [&str; 10] = [
        "measure",
        "unit",
        "relay",
        "Node",
        "plan-advisor",
        "÷ relay",
        "Node ÷ it",
        "must be ≤",
        "aim ≤",
        "met",
    ];

    pub fn cells(&self) -> [String; 10] {
        let figure = |cell: Option<Cell>| cell.map_or_else(String::new, |cell| number(cell.median));
        let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, number);
        [
            self.name.clone(),
            self.unit.to_owned(),
            figure(self.relay),
            figure(self.node),
            self.ours.map_or_else(|| "–".to_owned(), |cell| number(cell.median)),
            ratio(self.of_relay()),
            ratio(self.of_node()),
            texts(&self.must),
            texts(&self.aim),
            self.verdict().to_owned(),
        ]
    }

    pub fn json(&self) -> Value {
        let cell = |cell: Option<Cell>| cell.map(Cell::json);
        json!({
            "measure": self.name, "unit": self.unit, "relay": cell(self.relay), "node": cell(self.node), "ours": cell(self.ours),
            "oursToRelay": self.of_relay(), "nodeToOurs": self.of_node(),
            "must": texts(&self.must), "aim": texts(&self.aim), "met": self.verdict(),
        })
    }
}

fn texts(bounds: &[Bound]) -> String {
    let text = |bound: &Bound| match *bound {
        Bound::Value(most) => number(most),
        Bound::Relay(times) => format!("{} × relay", number(times)),
        Bound::Node(part) => format!("Node ÷ {}", number(part)),
        Bound::NodeTimes(times) => format!("{} × Node", number(times)),
    };
    bounds.iter().map(text).collect::<Vec<_>>().join(", ")
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
    pub rows: Vec<Row>,
    /// Number of wrong responses, and the first of them.
    errors: usize,
    pub first_error: Option<String>,
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

    /// Adds the number of wrong responses.
    pub fn finish(&mut self) {
        let row = Row::new("replies that were not as they should be", self.errors as f64, "");
        self.add(row.at_most(0.0, 0.0));
    }
}
