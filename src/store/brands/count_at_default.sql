-- Plans of the brand by field, and in the row without a field those that stand at the default of any of them. A plan without
-- inputs stands at every default.
SELECT w.field, count(DISTINCT p.id) AS plans
FROM plans p
JOIN brand_versions v ON v.id = p.brand_version_id AND v.brand_id = $1
CROSS JOIN unnest($2) w (field)
WHERE p.financial_inputs IS NULL OR p.financial_inputs -> w.field ->> 'source' = 'brand_default'
GROUP BY GROUPING SETS ((w.field), ())
