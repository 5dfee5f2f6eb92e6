import type { Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { KEYS_CHANGED } from './key-cache.js';

const notify = statement('auth.keys_changed', `SELECT pg_notify('${KEYS_CHANGED}', $1)`);

/** Makes every replica forget its cached keys once `tx` commits. Called when a key is deleted or replaced. */
export async function keysChanged(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(notify, [projectId]);
}
