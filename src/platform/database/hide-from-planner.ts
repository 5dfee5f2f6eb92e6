/**
 * Hides a parameter's value (typed, `$2::text[]`) from the planner. The plan then has the same cost for every value,
 * and PostgreSQL caches a generic plan. Otherwise it replans a statement whenever the array has fewer than the ten
 * elements it assumes, which took a quarter of a receipt's database time. After `ANY`, repeat the type: otherwise it is
 * a subquery of rows.
 */
export const hideFromPlanner = (parameter: string): string => `(SELECT ${parameter})`;
