import { isHere } from '../../platform/data-location/is-here.sql.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';

/** Locks the project, so that its number of exports does not change until the end of the transaction. */
export const lockProject = statement(
  'exports.lock_project',
  'SELECT p.id FROM projects p WHERE p.id = $1 FOR NO KEY UPDATE',
);

export const hasAny = statement(
  'exports.has_any',
  'SELECT EXISTS (SELECT 1 FROM exports e WHERE e.project_id = $1) AS found',
);

/** The project of an export that an operator names on the command line. */
export const projectOf = statement(
  'exports.project_of',
  'SELECT e.project_id AS "projectId" FROM exports e WHERE e.id = $1 LIMIT 1',
);

/** Whether PostgreSQL knows the time zone $1. */
export const knownZone = statement(
  'exports.known_zone',
  'SELECT EXISTS (SELECT 1 FROM pg_timezone_names z WHERE z.name = $1) AS known',
);

/**
 * The first instant after $1 that is $3 on a clock in the zone $2, on weekday $4 (1 is Monday) or day of the month $5 if
 * they are not null. A time that clocks skip is moved on; of one that comes twice it is the second. The day before is
 * looked at as well, because clocks that skip midnight move a time to the next day.
 */
export const nextLocalTime = statement(
  'exports.next_local_time',
  `SELECT min(c.at) AS at FROM (
     SELECT (d.day + $3::time) AT TIME ZONE $2 AS at FROM (
       SELECT ($1::timestamptz AT TIME ZONE $2)::date + i AS day FROM generate_series(-1, 32) AS i
     ) d
     WHERE ($4::int IS NULL OR extract(isodow FROM d.day) = $4)
       AND ($5::int IS NULL OR extract(day FROM d.day) = $5)
   ) c WHERE c.at > $1`,
);

/** Exports that are due at $1, at most $2. */
export const due = acrossProjects(
  'exports.due',
  `SELECT e.project_id AS "projectId", e.id FROM exports e
   WHERE e.next_due_at <= $1 AND e.state = 'active' AND ${isHere('e.project_id')}
     AND EXISTS (SELECT 1 FROM projects p WHERE p.id = e.project_id AND p.deleted_at IS NULL)
   ORDER BY e.next_due_at LIMIT $2::int`,
);

/** Locks an export that is due at $3, unless another process has locked it. */
export const lockDue = statement(
  'exports.lock_due',
  `SELECT e.id FROM exports e
   WHERE e.project_id = $1 AND e.id = $2 AND e.next_due_at <= $3 AND e.state = 'active' AND ${isHere('$1')}
   FOR UPDATE SKIP LOCKED`,
);

/** How many exports fail, and the due time that has waited longest. */
export const overview = acrossProjects(
  'exports.overview',
  `SELECT (SELECT count(*)::int FROM exports e
       WHERE e.consecutive_failures >= 2 AND e.state = 'active' AND ${isHere('e.project_id')}
         AND EXISTS (SELECT 1 FROM projects p WHERE p.id = e.project_id AND p.deleted_at IS NULL)) AS failing,
     least(
       (SELECT min(e.next_due_at) FROM exports e WHERE e.state = 'active' AND ${isHere('e.project_id')}
         AND EXISTS (SELECT 1 FROM projects p WHERE p.id = e.project_id AND p.deleted_at IS NULL)),
       (SELECT min(r.due_at) FROM export_runs r WHERE r.finished_at IS NULL AND r.lease_until IS NULL
         AND ${isHere('r.project_id')})) AS "oldestDueAt"`,
);
