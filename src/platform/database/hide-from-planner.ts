/**
 * A parameter (with its type, `$2::text[]`) whose value the planner does not see: the plan for any value then costs what
 * the one for this value does, and PostgreSQL keeps it. Else it plans a statement anew each time that its array is
 * shorter than the ten elements it takes any array for, which was a quarter of what a receipt took the database. With
 * `ANY` it needs its type once more: else it is a subquery of rows.
 */
export const hideFromPlanner = (parameter: string): string => `(SELECT ${parameter})`;
