-- From the schema of the release cbb8d9a to that of the migrations by topic. Runs in one transaction, while no server runs.
SELECT 1;
