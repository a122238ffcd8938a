//! The loan: its level payment in whole cents and each month's interest and principal (`docs/FINANCIAL-MODEL.md` 3.4, step 8).

use crate::engine::arithmetic::mul_div;
use crate::engine::terms::LoanTerms;
use plan_model::number::PPM;

/// A rate per year in millionths, applied to one month.
const MONTHLY: i64 = 12 * PPM;

/// The loan with its payment.
pub(super) struct Loan {
    pub amount: i64,
    pub rate: i64,
    pub term: i64,
    pub interest_only: i64,
    /// Smallest whole-cent payment that clears the loan in time; none without a term.
    pub payment: Option<i64>,
}

impl Loan {
    pub(super) fn new(terms: &LoanTerms) -> Self {
        let &LoanTerms {
            amount,
            rate,
            term,
            interest_only,
        } = terms;
        let payment = (term > 0).then(|| level_payment(amount, rate, term - interest_only));
        Self {
            amount,
            rate,
            term,
            interest_only,
            payment,
        }
    }

    /// Interest and principal of `month` on what is still owed. Without a term only interest is ever paid.
    pub(super) fn split(&self, month: i64, balance: i64) -> (i64, i64) {
        let interest = interest(balance, self.rate);
        let principal = match self.payment {
            Some(_) if month == self.term => balance,
            Some(payment) if month > self.interest_only && month < self.term => (payment - interest).clamp(0, balance),
            _ => 0,
        };
        (interest, principal)
    }
}

fn interest(balance: i64, rate: i64) -> i64 {
    mul_div(balance, rate, MONTHLY)
}

/// The smallest payment that clears `amount` in `months` with each month's interest rounded to the cent.
///
/// A larger payment never leaves a larger balance, so the answer lies between a payment that does not clear and one that
/// does; the search starts at the closed form, which is off by a cent at most, and widens in doubling steps if it is not.
fn level_payment(amount: i64, rate: i64, months: i64) -> i64 {
    if amount <= 0 {
        return 0;
    }
    let guess = annuity(amount, rate, months);
    let (mut short, mut enough, mut step) = (0, guess, 1);
    if clears(amount, rate, months, guess) {
        loop {
            let lower = enough - step;
            if lower <= 0 {
                break;
            }
            if !clears(amount, rate, months, lower) {
                short = lower;
                break;
            }
            (enough, step) = (lower, step * 2);
        }
    } else {
        (short, enough) = (guess, guess + 1);
        while !clears(amount, rate, months, enough) {
            step *= 2;
            (short, enough) = (enough, enough + step);
        }
    }
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if clears(amount, rate, months, middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    enough
}

fn clears(amount: i64, rate: i64, months: i64, payment: i64) -> bool {
    let mut balance = amount;
    for _ in 0..months {
        let grown = balance + interest(balance, rate);
        if grown <= payment {
            return true;
        }
        // Once it does not shrink it never will.
        if grown - payment >= balance {
            return false;
        }
        balance = grown - payment;
    }
    false
}

/// Where the search starts: the closed form, rounded up. The only place that leaves whole numbers, and no result does.
fn annuity(amount: i64, rate: i64, months: i64) -> i64 {
    let principal = amount as f64;
    let payment = if rate == 0 {
        principal / months as f64
    } else {
        let monthly = rate as f64 / MONTHLY as f64;
        principal * monthly / -(-(months as f64) * monthly.ln_1p()).exp_m1()
    };
    // A cast from a float saturates and takes no number for zero; the search recovers from either.
    (payment.ceil() as i64).clamp(1, amount.saturating_mul(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_payments_of_the_specification() {
        let checks = [
            (28_000_000, 102_500, 120, 373_910),
            (20_520_560, 105_000, 144, 251_201),
            (10_000_000, 70_000, 360, 66_531),
            (100_000, 0, 12, 8_334),
        ];
        for (amount, rate, months, payment) in checks {
            assert_eq!(
                level_payment(amount, rate, months),
                payment,
                "{amount} at {rate} over {months}"
            );
        }
    }

    #[test]
    fn a_loan_without_a_term_costs_interest_only() {
        let loan = Loan::new(&LoanTerms {
            amount: 12_000_000,
            rate: 100_000,
            term: 0,
            interest_only: 0,
        });
        assert_eq!((loan.payment, loan.split(1, loan.amount)), (None, (100_000, 0)));
    }

    #[test]
    fn one_month_pays_all_back() {
        let loan = Loan::new(&LoanTerms {
            amount: 12_000_000,
            rate: 100_000,
            term: 1,
            interest_only: 0,
        });
        assert_eq!(
            (loan.payment, loan.split(1, loan.amount)),
            (Some(12_100_000), (100_000, 12_000_000))
        );
    }

    proptest! {
        #[test]
        fn the_payment_is_the_smallest_that_clears(amount in 1i64..400_000_000_000, rate in 0i64..=1_000_000, months in 1i64..=1_200) {
            let payment = level_payment(amount, rate, months);
            prop_assert!(clears(amount, rate, months, payment));
            prop_assert!(!clears(amount, rate, months, payment - 1));
        }
    }
}
