import { isHere } from '../data-location/is-here.sql.js';
import { type Statement, statement } from '../database/statement.js';
import { appsWithWork } from './app-queues.sql.js';

/** One index read for each app with work, however long the queue is. */
function oldestOf(queue: string, table: string): Statement {
  return statement(
    `jobs.oldest_due.${queue}`,
    `WITH RECURSIVE ${appsWithWork({ table, dueAt: 'due_at' })}
     SELECT min(head.due_at) AS "dueAt", count(*)::int AS "queuesRead" FROM queues q CROSS JOIN LATERAL (
       SELECT t.due_at FROM ${table} t
       WHERE t.project_id = q.project_id AND t.app_id = q.app_id AND t.due_at IS NOT NULL
       ORDER BY t.due_at LIMIT 1) head
     WHERE ${isHere('q.project_id')}`,
  );
}

export const oldestDue: Readonly<Record<string, Statement>> = {
  notifications: oldestOf('notifications', 'store_notifications'),
  copies: oldestOf('copies', 'store_notification_copies'),
  refreshes: oldestOf('refreshes', 'store_refreshes'),
  tasks: oldestOf('tasks', 'store_tasks'),
};
