import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { startEmbeddedPostgres } from '../../dist/libs/embedded-postgres/index.js';
import { dataSourceOptions } from '../../dist/src/platform/database/data-source.js';
import { runMigrations } from '../../dist/src/platform/database/schema/migrate.js';
import { definitionsOf, indexesOf } from '../../dist/src/platform/database/schema/schema-indexes.js';

/** The indexes of an empty database with all migrations. */
async function currentIndexes() {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-indexes-'));
  chmodSync(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'test' });
  try {
    await runMigrations(server.url);
    const options = { ...dataSourceOptions({ url: server.url, poolSize: 1 }), entities: [] };
    const dataSource = new DataSource(options);
    await dataSource.initialize();
    const definitions = definitionsOf(await indexesOf(dataSource));
    await dataSource.destroy();
    return definitions;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function generate() {
  const text = `/** Every index that the migrations create, by name (generated: \`npm run schema:indexes\`). */
export const expectedIndexes: Readonly<Record<string, string>> = ${JSON.stringify(await currentIndexes())};
`;
  return { 'src/platform/database/schema/expected-indexes.ts': text };
}
