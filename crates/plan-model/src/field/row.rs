//! A row of the catalogue, as the table writes it down.

use super::{Base, Bounds, Field, FieldPath, FieldRole, Kind};
use crate::period::Period;
use std::borrow::Cow;

/// A row as it is written down here. What a row does not say is absent: no period, no range, not core; but the franchisee
/// decides on it.
#[derive(Clone, Copy)]
pub(super) struct Row {
    path: &'static str,
    label: &'static str,
    kind: Kind,
    role: FieldRole,
    period: Option<Period>,
    start_month: Option<&'static str>,
    line: Option<&'static str>,
    soft: Option<(i64, i64)>,
    disclosed: Option<&'static str>,
    core: bool,
    controlled: bool,
    aliases: &'static [&'static str],
    help: &'static str,
}

/// Anything that needs no more than its kind.
pub(super) const fn quantity(path: &'static str, label: &'static str, kind: Kind) -> Row {
    Row {
        path,
        label,
        kind,
        role: FieldRole::Quantity,
        period: None,
        start_month: None,
        line: None,
        soft: None,
        disclosed: None,
        core: false,
        controlled: true,
        aliases: &[],
        help: "",
    }
}

/// Paid once, unless the row says otherwise.
pub(super) const fn money(path: &'static str, label: &'static str) -> Row {
    quantity(path, label, Kind::Money).role(FieldRole::Payment).once()
}

pub(super) const fn share(path: &'static str, label: &'static str, base: Base) -> Row {
    quantity(path, label, Kind::Percent).role(FieldRole::Share(base))
}

/// Customers decide on it.
pub(super) const fn growth(path: &'static str, label: &'static str, year: u8) -> Row {
    quantity(path, label, Kind::Percent)
        .role(FieldRole::Growth(year))
        .not_controlled()
}

/// Landlords and the labor market decide on it.
pub(super) const fn escalation(path: &'static str, label: &'static str) -> Row {
    quantity(path, label, Kind::Percent)
        .role(FieldRole::Escalation)
        .not_controlled()
}

impl Row {
    pub(super) const fn role(self, role: FieldRole) -> Self {
        Self { role, ..self }
    }

    pub(super) const fn once(self) -> Self {
        Self {
            period: Some(Period::Once),
            ..self
        }
    }

    pub(super) const fn monthly(self) -> Self {
        Self {
            period: Some(Period::Monthly),
            ..self
        }
    }

    pub(super) const fn yearly(self) -> Self {
        Self {
            period: Some(Period::Annual),
            ..self
        }
    }

    /// The field with the month from which it is paid.
    pub(super) const fn starts(self, path: &'static str) -> Self {
        Self {
            start_month: Some(path),
            ..self
        }
    }

    /// The line of the projection that it is, by its name in `outputs`.
    pub(super) const fn line(self, name: &'static str) -> Self {
        Self {
            line: Some(name),
            ..self
        }
    }

    /// Cents, millionths or whole, by kind.
    pub(super) const fn soft(self, low: i64, high: i64) -> Self {
        Self {
            soft: Some((low, high)),
            ..self
        }
    }

    /// A fee that the franchisor sets.
    pub(super) const fn item6(self) -> Self {
        Self {
            disclosed: Some("Item 6"),
            controlled: false,
            ..self
        }
    }

    pub(super) const fn item7(self) -> Self {
        Self {
            disclosed: Some("Item 7"),
            ..self
        }
    }

    pub(super) const fn core(self) -> Self {
        Self { core: true, ..self }
    }

    pub(super) const fn not_controlled(self) -> Self {
        Self {
            controlled: false,
            ..self
        }
    }

    pub(super) const fn called(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    pub(super) const fn means(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    pub(super) fn field(&self) -> Field {
        Field {
            path: FieldPath::from_static(self.path),
            label: Cow::Borrowed(self.label),
            kind: self.kind,
            role: self.role,
            period: self.period,
            start_month: self.start_month.map(FieldPath::from_static),
            line: self.line,
            soft: self.soft.map(|(low, high)| Bounds {
                low: self.kind.number(low),
                high: self.kind.number(high),
            }),
            disclosed: self.disclosed,
            core: self.core,
            controlled: self.controlled,
            aliases: self.aliases.iter().copied().map(Cow::Borrowed).collect(),
            help: Cow::Borrowed(self.help),
            default: None,
        }
    }
}
