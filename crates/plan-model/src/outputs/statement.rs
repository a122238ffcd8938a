//! What the totals of a projection are made of: the cost lines and the balance sheet (`docs/FINANCIAL-MODEL.md` 3.4, steps 14
//! and 15).

use crate::field::FieldPath;
use serde::Serialize;

/// Makes [`CostLines`] from one list, so that no sum can leave out a line.
macro_rules! cost_lines {
    ($(#[doc = $help:literal] $line:ident,)+) => {
        /// Each cost between revenue and EBITDA, in cents. Together they are revenue less EBITDA.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct CostLines {
            $(#[doc = $help] pub $line: i64,)+
        }

        impl CostLines {
            /// Line by line. The engine's lines are far from the limits of 64 bits.
            #[must_use]
            pub const fn plus(&self, other: &Self) -> Self {
                Self { $($line: self.$line + other.$line,)+ }
            }

            /// All of them.
            pub const fn total(&self) -> i64 {
                0$( + self.$line)+
            }
        }
    };
}

cost_lines! {
    /// Cost of goods sold.
    materials,
    /// The franchisor's royalty, at least its minimum.
    royalty,
    /// The brand's advertising fund.
    ad_fund,
    /// Wages of the staff who serve customers.
    direct_labor,
    /// Rent; none while it is free.
    rent,
    /// Utilities.
    utilities,
    /// Insurance.
    insurance,
    /// Phone, internet, software.
    telecom_it,
    /// Vehicles.
    vehicles,
    /// Repairs and maintenance.
    maintenance,
    /// Local marketing, at least its minimum.
    marketing,
    /// Card processing.
    merchant_fees,
    /// From the month the manager starts.
    management_salaries,
    /// The owner's salary on payroll.
    owner_salary,
    /// On all wages and salaries.
    payroll_tax,
    /// The franchisor's technology fee.
    technology_fee,
    /// Shop and office supplies.
    supplies,
    /// Accounting and legal.
    professional_fees,
    /// Other costs that stay the same each month.
    other_fixed,
    /// Other costs that move with sales.
    other_opex,
    /// The share of the startup costs that is expensed.
    startup_expense,
}

impl CostLines {
    /// The line of a field that is an amount paid each month; `None` for any other field.
    pub fn paid_monthly(&self, field: &FieldPath) -> Option<i64> {
        Some(match field.as_str() {
            "operatingCosts.rentMonthly" => self.rent,
            "operatingCosts.utilitiesMonthly" => self.utilities,
            "operatingCosts.insuranceMonthly" => self.insurance,
            "operatingCosts.telecomItMonthly" => self.telecom_it,
            "operatingCosts.vehicleMonthly" => self.vehicles,
            "operatingCosts.maintenanceMonthly" => self.maintenance,
            "operatingCosts.technologyFeeMonthly" => self.technology_fee,
            "operatingCosts.suppliesMonthly" => self.supplies,
            "operatingCosts.professionalFeesMonthly" => self.professional_fees,
            "operatingCosts.otherMonthly" => self.other_fixed,
            _ => return None,
        })
    }
}

/// A balance sheet, in cents. Its assets are its liabilities and the owner's equity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// Cash in the bank.
    pub cash: i64,
    /// What customers owe.
    pub receivables: i64,
    /// Stock.
    pub inventory: i64,
    /// Startup costs that are not yet expensed, and months that were paid ahead.
    pub prepaid: i64,
    /// Deposits.
    pub deposits: i64,
    /// Build-out and equipment, net of depreciation.
    pub fixed_assets: i64,
    /// The franchise fee, net of amortization.
    pub intangibles: i64,
    /// All of the above.
    pub total_assets: i64,
    /// What is owed to suppliers.
    pub payables: i64,
    /// Negative where more tax was paid than is owed.
    pub tax_payable: i64,
    /// What is still owed.
    pub loan: i64,
    /// Payables, tax owed and the loan.
    pub total_liabilities: i64,
    /// What the owner put in.
    pub paid_in: i64,
    /// Net income since opening.
    pub earnings: i64,
    /// What the owner took out since opening.
    pub draws: i64,
    /// What was put in and earned, less what was taken out.
    pub equity: i64,
}
