import { statement } from '../../platform/database/statement.js';

/**
 * Locks a project's history until the end of a transaction that derives data from past events. Erasures wait for it and
 * then find the derived data.
 */
export const useHistory = statement(
  'events.use_history',
  'SELECT pg_advisory_xact_lock(746210004, hashtext($1))',
);

/** Held until the end of a transaction that erases events. Erasures do not wait for each other. */
export const eraseHistory = statement(
  'events.erase_history',
  'SELECT pg_advisory_xact_lock_shared(746210004, hashtext($1))',
);
