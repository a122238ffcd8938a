//! The demo brand, users and plans. Repeatable: existing rows stay as they are.

use crate::plans::{Actor, EditError, PlanEdit, PlanRef, Provenance};
use crate::store::brands::BrandVersion;
use crate::store::contents;
use crate::store::people::users::NewUser;
use crate::store::plans::NewPlan;
use crate::store::plans::plan_changes::Reason;
use crate::store::{Conn, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use pg_link::json::Json;
use plan_model::access::UserRole;
use plan_model::brand::Brand;
use plan_model::clock::Clock;
use plan_model::field::FieldPath;
use plan_model::ids::{PlanId, UserId};
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::number::Number;
use std::sync::Arc;
use uuid::Uuid;

/// The password of every demo login.
pub const DEMO_PASSWORD: &str = "demo-password-1";

/// A demo user.
pub struct DemoLogin {
    id: u128,
    pub email: &'static str,
    pub display_name: &'static str,
    pub role: UserRole,
    /// Their description on the sign-in page.
    pub note: &'static str,
}

const SAM: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0011;
const RILEY: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0012;
const TAYLOR: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0013;
const MORGAN: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0014;
const ADMIN: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0015;
const FIRST_PLAN: u128 = 0x0199_c0de_0000_7000_8000_0000_0000_0021;

/// The demo's logins.
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

/// The ids of the demo's logins.
pub fn demo_ids() -> Vec<Uuid> {
    DEMO_LOGINS.iter().map(|login| Uuid::from_u128(login.id)).collect()
}

/// The addresses of the demo's logins.
pub fn demo_emails() -> Vec<&'static str> {
    DEMO_LOGINS.iter().map(|login| login.email).collect()
}

/// Whether the demo data may go into this database: it is empty, or the demo's data was there before anybody else's.
///
/// # Errors
/// If the database fails.
pub async fn may_be_seeded(conn: &mut Conn) -> StoreResult<bool> {
    contents::is_free_for(conn, &demo_ids(), Brand::demo().id).await
}

/// Adds missing rows. `password_hash` is the hash of [`DEMO_PASSWORD`].
///
/// # Errors
/// Where the database refuses a row; plans that were added before stay.
pub async fn seed_demo(conn: &mut Conn, password_hash: &str) -> Result<(), EditError> {
    let brand_version = Arc::new(demo_brand(conn).await?);
    // All users first: the audit trail of one user's plan refers to another.
    let mut newcomers: Vec<&DemoLogin> = Vec::new();
    for login in &DEMO_LOGINS {
        let added = NewUser {
            id: Uuid::from_u128(login.id),
            email: login.email,
            display_name: login.display_name,
            role: login.role.as_str(),
            brand_id: (login.role != UserRole::PlatformAdmin).then_some(brand_version.brand.id.0),
            password_hash: Some(password_hash),
        }
        .insert_if_missing(conn)
        .await?;
        newcomers.extend(added.then_some(login));
    }
    for login in newcomers.into_iter().filter(|login| login.role == UserRole::Franchisee) {
        add_plan(conn, login, &brand_version).await?;
    }
    Ok(())
}

async fn demo_brand(conn: &mut Conn) -> StoreResult<BrandVersion> {
    let brand = Brand::demo();
    if let Some(brand_version) = BrandVersion::find_current(conn, brand.id).await? {
        return Ok(brand_version);
    }
    BrandVersion::create(conn, &brand, None).await?;
    let created = BrandVersion::find_current(conn, brand.id).await?;
    created.ok_or(StoreError::NotFound)
}

async fn add_plan(conn: &mut Conn, login: &DemoLogin, brand_version: &Arc<BrandVersion>) -> Result<(), EditError> {
    let first_name = login.display_name.split(' ').next().unwrap_or_default();
    let inputs = FinancialInputs::from_brand(&brand_version.brand);
    let id = Uuid::from_u128(FIRST_PLAN + (login.id - SAM));
    let new = NewPlan {
        id,
        user_id: Uuid::from_u128(login.id),
        brand_version_id: brand_version.id.0,
        name: &format!("{first_name}'s grooming salon"),
        financial_inputs: (login.id != TAYLOR).then_some(Json(inputs)),
        creation_key: None,
        creation_request: None,
    };
    conn.transaction::<_, EditError, _>(async |conn| {
        let added = new.insert(conn).await?.is_some();
        if added && login.id == RILEY {
            let plan = PlanRef {
                id: PlanId(id),
                brand_version: Arc::clone(brand_version),
            };
            edit(conn, &plan, RILEY, &by_riley()).await?;
            edit(conn, &plan, ADMIN, &by_admin()).await?;
        }
        Ok(())
    })
    .await
}

type Entry = (&'static str, Number, Source);

fn by_riley() -> [Entry; 3] {
    [
        (
            "operatingCosts.rentMonthly",
            Number::whole(520_000),
            Source::AiPopulated,
        ),
        ("revenue.monthlyAuv", Number::whole(6_200_000), Source::UserEntry),
        ("financing.interestRate", Number::millionths(115_000), Source::UserEntry),
    ]
}

fn by_admin() -> [Entry; 1] {
    [(
        "startupCosts.leaseholdImprovements",
        Number::whole(22_500_000),
        Source::Admin("Avery Stone".into()),
    )]
}

/// Writes values into Riley's plan, so that it has values of all four sources.
async fn edit(conn: &mut Conn, plan: &PlanRef, actor: u128, entries: &[Entry]) -> Result<(), EditError> {
    let actor = Actor {
        actor: UserId(Uuid::from_u128(actor)),
        effective: UserId(Uuid::from_u128(RILEY)),
        entry_source: Source::UserEntry,
    };
    let mut edit = PlanEdit::open(conn, &actor, plan, Clock::System.now()).await?;
    for (path, value, source) in entries {
        let provenance = Provenance::user(source.clone(), Reason::Entry);
        edit.set(&FieldPath::from_static(path), *value, provenance)?;
    }
    edit.finish(conn).await?;
    Ok(())
}
