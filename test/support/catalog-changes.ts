import {
  type CatalogChange,
  CatalogChanges,
  type ChangedProduct,
} from '../../src/catalog/shared/catalog-changes.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { TestServer } from './test-server.js';

export async function publishCatalogChange(
  { app }: TestServer,
  projectId: string,
  change: CatalogChange,
): Promise<void> {
  await app.get(DatabaseService).transaction((tx) => app.get(CatalogChanges).publish(tx, projectId, change));
}

/** Changes products with SQL of the test, as a change through the API would. */
export async function changeProducts(
  server: TestServer,
  projectId: string,
  change: () => Promise<unknown>,
): Promise<void> {
  const read = async (): Promise<Map<string, ChangedProduct>> => {
    const rows = await server.dataSource.query<ChangedProduct[]>(
      `SELECT id, app_id AS "appId", store_identifier AS "storeIdentifier", type, display_name AS "displayName", duration
       FROM products WHERE project_id = $1`,
      [projectId],
    );
    return new Map(rows.map((row) => [row.id, row]));
  };
  const before = await read();
  await change();
  const after = await read();
  const products = [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ before: before.get(id) ?? null, after: after.get(id) ?? null }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
  if (products.length > 0) await publishCatalogChange(server, projectId, { kind: 'products', products });
}
