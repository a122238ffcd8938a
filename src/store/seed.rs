//! The demo brand, people and plans. Repeatable: what is there stays as it is.

use super::brands::Edition;
use super::json::Json;
use super::plan_changes::{NewPlanChange, PlanChange, Reason};
use super::plans::NewPlan;
use super::schema::plans;
use super::users::NewUser;
use super::{Conn, StoreResult};
use crate::model::access::UserRole;
use crate::model::brand::Brand;
use crate::model::inputs::{FinancialInputs, Source};
use crate::model::number::Number;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

/// The password of every demo login.
pub const DEMO_PASSWORD: &str = "demo-password-1";

/// A demo person.
pub struct DemoLogin {
    id: u128,
    pub email: &'static str,
    pub display_name: &'static str,
    pub role: UserRole,
    /// What the sign-in page says about them.
    pub note: &'static str,
}

const SAM: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0011;
const RILEY: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0012;
const TAYLOR: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0013;
const MORGAN: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0014;
const ADMIN: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0015;
const FIRST_PLAN: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0021;

/// Everybody who can log in to a demo.
pub const DEMO_LOGINS: [DemoLogin; 5] = [
    DemoLogin {
        id: SAM,
        email: "sam@demo.test",
        display_name: "Sam Rivera",
        role: UserRole::Franchisee,
        note: "Franchisee, plan at brand defaults",
    },
    DemoLogin {
        id: RILEY,
        email: "riley@demo.test",
        display_name: "Riley Chen",
        role: UserRole::Franchisee,
        note: "Franchisee, edited plan",
    },
    DemoLogin {
        id: TAYLOR,
        email: "taylor@demo.test",
        display_name: "Taylor Brooks",
        role: UserRole::Franchisee,
        note: "Franchisee, plan without inputs",
    },
    DemoLogin {
        id: MORGAN,
        email: "morgan@demo.test",
        display_name: "Morgan Ellis",
        role: UserRole::FranchisorAdmin,
        note: "Brand administrator",
    },
    DemoLogin {
        id: ADMIN,
        email: "admin@demo.test",
        display_name: "Avery Stone",
        role: UserRole::PlatformAdmin,
        note: "Platform administrator",
    },
];

/// Adds what is missing. `password_hash` belongs to [`DEMO_PASSWORD`].
pub async fn seed_demo(conn: &mut Conn, password_hash: &str) -> StoreResult<()> {
    let brand = Brand::demo();
    let edition = match Edition::find_current(conn, brand.id).await? {
        Some(edition) => edition.id,
        None => Edition::publish(conn, &brand).await?,
    };
    // Everybody first: the audit trail of one person's plan names another.
    let mut newcomers: Vec<&DemoLogin> = Vec::new();
    for login in &DEMO_LOGINS {
        let added = NewUser {
            id: Uuid::from_u128(login.id),
            email: login.email,
            display_name: login.display_name,
            role: login.role.as_str(),
            brand_id: (login.role != UserRole::PlatformAdmin).then_some(brand.id.0),
            password_hash,
        }
        .insert_if_missing(conn)
        .await?;
        newcomers.extend(added.then_some(login));
    }
    for login in newcomers.into_iter().filter(|login| login.role == UserRole::Franchisee) {
        add_plan(conn, login, edition.0, &brand).await?;
    }
    Ok(())
}

async fn add_plan(conn: &mut Conn, login: &DemoLogin, edition: Uuid, brand: &Brand) -> StoreResult<()> {
    let id = Uuid::from_u128(FIRST_PLAN + (login.id - SAM));
    let name = format!(
        "{}'s grooming salon",
        login.display_name.split(' ').next().unwrap_or_default()
    );
    let mut inputs = FinancialInputs::from_brand(brand);
    let changes = if login.id == RILEY {
        edit(&mut inputs, id)
    } else {
        Vec::new()
    };
    let plan = NewPlan {
        id,
        user_id: Uuid::from_u128(login.id),
        brand_version_id: edition,
        name: &name,
        financial_inputs: (login.id != TAYLOR).then_some(Json(inputs)),
    };
    conn.transaction::<_, super::StoreError, _>(async |conn| {
        diesel::insert_into(plans::table)
            .values(&plan)
            .on_conflict_do_nothing()
            .execute(conn)
            .await?;
        PlanChange::append(conn, &changes).await
    })
    .await
}

/// Riley's plan shows values of all four sources, each with its line in the audit trail.
fn edit(inputs: &mut FinancialInputs, plan: Uuid) -> Vec<NewPlanChange> {
    let at = OffsetDateTime::now_utc();
    let edits = [
        (
            "operatingCosts.rentMonthly",
            Number::whole(520_000),
            Source::AiPopulated,
            RILEY,
        ),
        ("revenue.monthlyAuv", Number::whole(6_200_000), Source::UserEntry, RILEY),
        (
            "financing.interestRate",
            Number::millionths(115_000),
            Source::UserEntry,
            RILEY,
        ),
        (
            "startupCosts.leaseholdImprovements",
            Number::whole(22_500_000),
            Source::Admin("Avery Stone".into()),
            ADMIN,
        ),
    ];
    let mut changes = Vec::with_capacity(edits.len());
    for (path, value, source, actor) in edits {
        let Some(field) = inputs.0.get_mut(path) else { continue };
        let old = field.clone();
        field.current_value = value;
        field.source = source;
        field.last_modified_at = Some(at.replace_nanosecond(at.nanosecond() / 1_000 * 1_000).unwrap_or(at));
        field.is_custom = true;
        changes.push(NewPlanChange {
            id: Uuid::now_v7(),
            plan_id: plan,
            field: path.to_owned(),
            old_value: Some(Json(old)),
            source: field.source.to_text(),
            new_value: Json(field.clone()),
            reason: Reason::Entry.as_str(),
            confidence: None,
            evidence: None,
            turn_id: None,
            actor_id: Uuid::from_u128(actor),
            effective_user_id: Uuid::from_u128(RILEY),
        });
    }
    changes
}
