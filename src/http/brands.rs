//! Brands: parameters, startup cost template, thresholds.

use super::error::AppError;
use super::extract::{PathId, ValidJson};
use super::wire::{Data, data};
use crate::app::AppState;
use crate::model::access::{Caller, UserRole};
use crate::model::brand::{self, Brand};
use crate::model::error::FieldError;
use crate::model::ids::BrandId;
use crate::store::audit::AuditEvent;
use crate::store::brands::Edition;
use serde::Deserialize;
use serde_json::json;
use validator::{Validate, ValidationErrors};

/// A whole brand document.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
pub struct ReplaceBrandRequest(pub Brand);

/// The document is checked as a whole further on, where the stored one is at hand.
impl Validate for ReplaceBrandRequest {
    fn validate(&self) -> Result<(), ValidationErrors> {
        Ok(())
    }
}

/// Lists the brands.
#[utoipa::path(get, path = "/api/brands", tag = "brands", responses((status = 200, body = Data<Vec<Brand>>)))]
pub async fn list_brands(app: AppState, _: Caller) -> Result<Data<Vec<Brand>>, AppError> {
    let editions = Edition::list_current(&*app.db.conn().await?).await?;
    Ok(data(editions.into_iter().map(|edition| edition.brand).collect()))
}

/// A brand's planning defaults and its startup cost template with the Item 7 ranges.
#[utoipa::path(get, path = "/api/brands/{id}", tag = "brands", params(("id" = uuid::Uuid, Path, description = "The brand")),
    responses((status = 200, body = Data<Brand>)))]
pub async fn get_brand(app: AppState, _: Caller, PathId(id): PathId) -> Result<Data<Brand>, AppError> {
    Ok(data(current(&app, BrandId(id)).await?))
}

async fn current(app: &AppState, id: BrandId) -> Result<Brand, AppError> {
    let edition = Edition::find_current(&*app.db.conn().await?, id).await?;
    Ok(edition.ok_or_else(|| AppError::not_found("The brand"))?.brand)
}

/// Replaces a brand's document. New plans start from it; those that exist keep what they were made with.
///
/// Checked as a whole: the answer lists every error. `id` and `slug` cannot change.
#[utoipa::path(put, path = "/api/brands/{id}", tag = "brands", params(("id" = uuid::Uuid, Path, description = "The brand")),
    request_body = ReplaceBrandRequest, responses((status = 200, body = Data<Brand>)))]
pub async fn replace_brand(
    app: AppState,
    editor: BrandEditor,
    ValidJson(body): ValidJson<ReplaceBrandRequest>,
) -> Result<Data<Brand>, AppError> {
    let ReplaceBrandRequest(brand) = body;
    let errors = errors(&brand, &editor.brand);
    if !errors.is_empty() {
        return Err(AppError::validation(errors));
    }
    let mut conn = app.db.conn().await?;
    let version = Edition::publish(&mut conn, &brand).await?;
    let event = AuditEvent::by("brand_replaced", &editor.caller);
    event
        .detail(json!({"brandId": brand.id, "brandVersionId": version}))
        .insert(&conn)
        .await?;
    Ok(data(brand))
}

fn errors(brand: &Brand, stored: &Brand) -> Vec<FieldError> {
    let mut errors = brand::validate(brand);
    if brand.id != stored.id {
        errors.push(FieldError::new("id", "must be the id in the path"));
    }
    if brand.slug != stored.slug {
        errors.push(FieldError::new("slug", "cannot change"));
    }
    errors
}

/// Somebody who may edit the brand in the path.
pub struct BrandEditor {
    caller: Caller,
    brand: Brand,
}

impl axum::extract::FromRequestParts<AppState> for BrandEditor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let PathId(id) = PathId::from_request_parts(parts, app).await?;
        let brand = current(app, BrandId(id)).await?;
        let may = match caller.effective.role {
            UserRole::PlatformAdmin => true,
            UserRole::FranchisorAdmin => caller.effective.brand_id == Some(brand.id),
            UserRole::Franchisee => false,
        };
        if may {
            Ok(Self { caller, brand })
        } else {
            Err(AppError::forbidden("Only the brand's administrators may edit it."))
        }
    }
}
