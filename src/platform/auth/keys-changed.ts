import type { Transaction } from '../database/database.js';
import { KEYS_CHANGED } from './key-cache.js';

/** Makes every replica drop its cached keys when `tx` commits. Call it when a key is deleted or replaced. */
export async function keysChanged(tx: Transaction, projectId: string): Promise<void> {
  await tx.notify(KEYS_CHANGED, projectId);
}
