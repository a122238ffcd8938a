//! Brands: parameters, startup cost template, thresholds.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::etag;
use crate::http::extract::path::{parse, path_params};
use crate::http::extract::{PathId, PlatformAdmin, UncheckedJson};
use crate::http::handlers::planning::inputs::expected_version;
use crate::http::handlers::planning::plans;
use crate::http::wire::{Data, data};
use crate::plans::by_hand::ByHandError;
use crate::plans::editions as publishing;
use crate::store::StoreError;
use crate::store::brands::{BrandVersion, editions as stored};
use crate::store::people::audit::{AuditEvent, AuditKind};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use plan_model::access::{Caller, UserRole};
use plan_model::brand;
use plan_model::brand::{Brand, Item19, Parameter, StartupCost, Thresholds};
use plan_model::error::{ErrorCode, FieldError};
use plan_model::field::FieldPath;
use plan_model::ids::BrandId;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;

pub(crate) mod editions;
pub(crate) mod members;
pub(crate) mod preview;

/// A whole brand document.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
pub(crate) struct ReplaceBrandRequest(pub Brand);

/// A new brand. Everything is as a brand shows it; the id may be left out.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateBrandRequest {
    pub id: Option<Uuid>,
    pub name: String,
    pub slug: String,
    #[schema(value_type = BTreeMap<String, Parameter>)]
    pub parameters: BTreeMap<FieldPath, Parameter>,
    pub startup_cost_template: Vec<StartupCost>,
    #[serde(default)]
    pub thresholds: Thresholds,
    #[serde(default)]
    pub item19: Item19,
}

impl From<CreateBrandRequest> for Brand {
    fn from(new: CreateBrandRequest) -> Self {
        Self {
            id: new.id.map_or_else(BrandId::fresh, BrandId),
            name: new.name,
            slug: new.slug,
            parameters: new.parameters,
            startup_cost_template: new.startup_cost_template,
            thresholds: new.thresholds,
            item19: new.item19,
        }
    }
}

/// Lists the brands.
#[utoipa::path(get, path = "/api/brands", tag = "brands", responses((status = 200, body = Data<Vec<Brand>>)))]
pub(crate) async fn list_brands(app: AppState, _: Caller) -> Result<Data<Vec<Brand>>, AppError> {
    let brand_versions = BrandVersion::list_current(&*app.db.conn().await?).await?;
    Ok(data(
        brand_versions
            .into_iter()
            .map(|brand_version| brand_version.brand)
            .collect(),
    ))
}

/// A brand's planning defaults and its startup cost template with the Item 7 ranges.
#[utoipa::path(get, path = "/api/brands/{id}", tag = "brands",
    params(("id" = uuid::Uuid, Path, description = "The brand"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of what is known; 304 where it is still so")),
    responses(
        (status = 200, body = Data<Brand>, headers(("ETag" = String, description = "The version of the brand, quoted"))),
        (status = 304, description = "Nothing has changed")))]
pub(crate) async fn get_brand(
    app: AppState,
    _: Caller,
    PathId(id): PathId,
    asked: HeaderMap,
) -> Result<Response, AppError> {
    let (brand, version) = current(&app, BrandId(id)).await?;
    Ok(etag::respond(&asked, plans::etag(version.into()), || data(brand)))
}

async fn current(app: &AppState, id: BrandId) -> Result<(Brand, i32), AppError> {
    let found = stored::find_current(&*app.db.conn().await?, id).await?;
    found.ok_or_else(|| AppError::not_found("The brand"))
}

/// Adds a brand. Checked as a whole: the answer lists every error.
#[utoipa::path(post, path = "/api/brands", tag = "brands", request_body = CreateBrandRequest,
    responses((status = 201, body = Data<Brand>, headers(("Location" = String)))))]
pub(crate) async fn create_brand(
    app: AppState,
    PlatformAdmin(caller): PlatformAdmin,
    UncheckedJson(body, permit): UncheckedJson<CreateBrandRequest>,
) -> Result<impl IntoResponse, AppError> {
    let brand = Brand::from(body);
    let errors = brand::validate(&brand);
    if !errors.is_empty() {
        return Err(AppError::validation(errors));
    }
    permit.take(&app).await?;
    let mut conn = app.db.conn().await?;
    let version = BrandVersion::create(&mut conn, &brand, Some(caller.actor.id))
        .await
        .map_err(|error| match error {
            StoreError::Conflict(_) => AppError::conflict("There is a brand with this id or slug already."),
            other => other.into(),
        })?;
    AuditEvent::by(AuditKind::BrandCreated, &caller)
        .detail(json!({"brandId": brand.id, "brandVersionId": version}))
        .insert(&conn)
        .await?;
    let location = [(header::LOCATION, format!("/api/brands/{}", brand.id))];
    Ok((StatusCode::CREATED, location, data(brand)))
}

/// Replaces a brand's document. New plans start from it; those that exist keep what they were made with.
///
/// Checked as a whole: the answer lists every error. `id` and `slug` cannot change.
#[utoipa::path(put, path = "/api/brands/{id}", tag = "brands",
    params(("id" = uuid::Uuid, Path, description = "The brand"),
        ("If-Match" = Option<String>, Header, description = "The version of the brand that is replaced, quoted, or `*`")),
    request_body = ReplaceBrandRequest,
    responses((status = 200, body = Data<Brand>, headers(("ETag" = String, description = "The new version, quoted")))))]
pub(crate) async fn replace_brand(
    app: AppState,
    editor: BrandEditor,
    headers: HeaderMap,
    UncheckedJson(body, permit): UncheckedJson<ReplaceBrandRequest>,
) -> Result<impl IntoResponse, AppError> {
    let expected = expected_version(&headers)?;
    let brand = checked(body, &editor.brand)?;
    permit.take(&app).await?;
    let version = publishing::publish(&app.db, &editor.caller, &brand, &expected)
        .await
        .map_err(stale)?;
    Ok(([(header::ETAG, plans::etag(version.into()))], data(brand)))
}

/// The refusal of a document that was made from an older version.
fn stale(error: ByHandError) -> AppError {
    match error {
        ByHandError::VersionMismatch(version) => AppError::new(
            ErrorCode::VersionMismatch,
            "Somebody published another edition of the brand meanwhile. Read it again, then decide.",
        )
        .with_details([json!({"version": version})]),
        error @ ByHandError::Edit(_) => error.into(),
    }
}

/// The document, or everything that is wrong with it.
fn checked(ReplaceBrandRequest(brand): ReplaceBrandRequest, stored: &Brand) -> Result<Brand, AppError> {
    let errors = errors(&brand, stored);
    if errors.is_empty() {
        Ok(brand)
    } else {
        Err(AppError::validation(errors))
    }
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

/// A user who may edit the brand in the path.
pub(crate) struct BrandEditor {
    caller: Caller,
    brand: Brand,
    version: i32,
}

impl axum::extract::FromRequestParts<AppState> for BrandEditor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let params = path_params(parts, app).await?;
        let named = params.iter().find(|(name, _)| *name == "id");
        let (name, text) = named.ok_or_else(|| AppError::internal("the route names no brand"))?;
        let (brand, version) = current(app, BrandId(parse(name, text)?)).await?;
        let may = match caller.effective.role {
            UserRole::PlatformAdmin => true,
            UserRole::FranchisorAdmin => caller.effective.brand_id == Some(brand.id),
            UserRole::Franchisee => false,
        };
        if may {
            Ok(Self { caller, brand, version })
        } else {
            Err(AppError::forbidden("Only the brand's administrators may edit it."))
        }
    }
}
