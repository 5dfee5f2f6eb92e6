import { type Statement, statement } from '../database/statement.js';
import { appsWithWork } from './app-queues.sql.js';

/**
 * The oldest due moment of a queue that has an index of app and moment: one look into it for each app that has
 * something, however long the queue is.
 */
function oldestOf(queue: string, table: string, column: string): Statement {
  return statement(
    `jobs.oldest_due.${queue}`,
    `WITH RECURSIVE ${appsWithWork({ table, dueAt: column })}
     SELECT min(head.due_at) AS "dueAt", count(*)::int AS looks FROM queues q CROSS JOIN LATERAL (
       SELECT t.${column} AS due_at FROM ${table} t
       WHERE t.project_id = q.project_id AND t.app_id = q.app_id AND t.${column} IS NOT NULL
       ORDER BY t.${column} LIMIT 1) head`,
  );
}

/** By the name of the queue. */
export const oldestDue: Readonly<Record<string, Statement>> = {
  notifications: oldestOf('notifications', 'store_notifications', 'due_at'),
  copies: oldestOf('copies', 'store_notifications', 'forward_due_at'),
  refreshes: oldestOf('refreshes', 'store_refreshes', 'due_at'),
  chores: oldestOf('chores', 'store_chores', 'due_at'),
};
