import { isHere } from '../data-location/is-here.sql.js';
import { appsWithWork } from './app-queues.sql.js';

/** The text that reads the oldest due row of a queue: one index read for each app with work, however long it is. */
export function oldestDueIn(table: string): string {
  return `WITH RECURSIVE ${appsWithWork({ table, dueAt: 'due_at' })}
     SELECT min(head.due_at) AS "dueAt", count(*)::int AS "queuesRead" FROM queues q CROSS JOIN LATERAL (
       SELECT t.due_at FROM ${table} t
       WHERE t.project_id = q.project_id AND t.app_id = q.app_id AND t.due_at IS NOT NULL
       ORDER BY t.due_at LIMIT 1) head
     WHERE ${isHere('q.project_id')}`;
}
