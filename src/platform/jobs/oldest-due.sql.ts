import { isHere } from '../data-location/is-here.sql.js';
import { appsWithWork } from './app-queues.sql.js';

/** The text that reads the oldest due row of a queue: one index read for each app with work, however long it is. */
export function oldestDueIn(table: string): string {
  return `WITH RECURSIVE ${appsWithWork({ table, dueAt: 'due_at' })}
     SELECT min(q.due_at) AS "dueAt", count(*)::int AS "queuesRead" FROM queues q
     WHERE ${isHere('q.project_id')}`;
}
