import { statement } from '../../platform/database/statement.js';

/**
 * Held until the end of a transaction that makes something of a project's past events: erasures wait for it, and then
 * find what it made.
 */
export const useHistory = statement(
  'events.use_history',
  'SELECT pg_advisory_xact_lock(746210004, hashtext($1))',
);

/** Held until the end of a transaction that erases events; erasures do not wait for one another. */
export const eraseHistory = statement(
  'events.erase_history',
  'SELECT pg_advisory_xact_lock_shared(746210004, hashtext($1))',
);
