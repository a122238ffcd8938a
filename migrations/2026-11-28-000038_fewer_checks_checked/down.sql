-- A constraint that was checked stays so.
SELECT 1;
