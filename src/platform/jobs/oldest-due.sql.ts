import { isHere } from '../data-location/is-here.sql.js';

/** The text that reads the oldest due row of a queue: one index read for each app, however long the queue is. */
export function oldestDueIn(table: string): string {
  return `SELECT min(head.due_at) AS "dueAt", count(*)::int AS "queuesRead" FROM project_anchors a
     LEFT JOIN LATERAL (
       SELECT n.due_at FROM ${table} n WHERE n.project_id = a.project_id AND n.app_id = a.app_id
         AND n.due_at IS NOT NULL ORDER BY n.due_at LIMIT 1) head ON true
     WHERE a.app_id <> '' AND ${isHere('a.project_id')}`;
}
