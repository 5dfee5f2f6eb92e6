import type { Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';

/** Channel on which replicas hear that a project's catalog changed; the payload is the project id. */
export const CATALOG_CHANGED = 'tenure_catalog_changed';

const bump = statement(
  'catalog.bump_version',
  `UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1`,
);

/**
 * Marks the project's catalog (apps, products, entitlements, offerings, packages and project settings) as
 * changed. Every write to it calls this in its transaction: cached offerings and prepared customer answers
 * carry the version they were made for.
 */
export async function bumpCatalogVersion(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(bump, [projectId]);
  await tx.notify(CATALOG_CHANGED, projectId);
}
