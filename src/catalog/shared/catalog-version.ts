import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { bump, markImports, markOverrides } from './catalog-version.sql.js';

/** Notifies all replicas of changes to a project's catalog; the payload is the project id. */
export const CATALOG_CHANGED = 'tenure_catalog_changed';

/**
 * Raises the version of the project's catalog (apps, products, entitlements, offerings, packages and project settings).
 * Every write to it calls this in its transaction: cached offerings and prepared customer responses carry the version
 * they were built from.
 * @throws ApiError 404 if the project was deleted in the meantime
 */
export async function bumpCatalogVersion(tx: Transaction, projectId: string): Promise<void> {
  const [project] = await tx.query(bump, [projectId]);
  if (!project) throw ApiError.missing('project', projectId);
  await tx.notify(CATALOG_CHANGED, projectId);
}

/**
 * Records that the SDKs' offerings in this project depend on the customer from now on. Must be the first statement of a
 * transaction that assigns a customer a current offering: like every catalog change, it locks the project first.
 */
export async function markOfferingOverrides(tx: Transaction, projectId: string): Promise<void> {
  const marked = await tx.query(markOverrides, [projectId]);
  if (marked.length > 0) await tx.notify(CATALOG_CHANGED, projectId);
}

/**
 * Records that receipts must look for imported subscriptions from now on. Locks the project like every catalog change.
 */
export async function markImported(tx: Transaction, projectId: string): Promise<void> {
  const marked = await tx.query(markImports, [projectId]);
  if (marked.length > 0) await tx.notify(CATALOG_CHANGED, projectId);
}
