DROP TABLE users, brand_versions, brands;
