/**
 * Channel that announces app user ids whose customer has changed or been deleted, so that all replicas discard cached
 * data about them.
 */
export const CUSTOMERS_CHANGED = 'tenure_customers_changed';

/** PostgreSQL limits a notification to 8000 bytes. */
const MAX_BYTES = 7_900;

/** `appUserIds` null: all ids of the project. */
export interface CustomersChanged {
  projectId: string;
  appUserIds: string[] | null;
}

export function customersChanged(projectId: string, appUserIds: string[]): string {
  const payload = JSON.stringify([projectId, ...appUserIds]);
  return Buffer.byteLength(payload) <= MAX_BYTES ? payload : JSON.stringify([projectId]);
}

/** Null for a text that no server sent: any database user may send notifications. */
export function readCustomersChanged(payload: string): CustomersChanged | null {
  const texts = parsed(payload);
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return null;
  const [projectId, ...appUserIds] = texts;
  if (projectId === undefined) return null;
  return { projectId, appUserIds: appUserIds.length > 0 ? appUserIds : null };
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}
