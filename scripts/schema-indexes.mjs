import { mkdtempSync, rmSync, chmodSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { build } from './build.mjs';

/**
 * Writes src/platform/database/schema/expected-indexes.ts from an empty database with all migrations. That it is up to date is checked
 * by test/contract/schema.e2e-spec.ts.
 */
await build();
const { DataSource } = await import('typeorm');
const { dataSourceOptions } = await import('../dist/src/platform/database/data-source.js');
const { startEmbeddedPostgres } = await import('../dist/libs/embedded-postgres/index.js');
const { runMigrations } = await import('../dist/src/platform/database/schema/migrate.js');
const { definitionsOf, indexesOf } = await import('../dist/src/platform/database/schema/schema-indexes.js');

const file = fileURLToPath(new URL('../src/platform/database/schema/expected-indexes.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tenure-indexes-'));
chmodSync(folder, 0o711);
const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'test' });
try {
  await runMigrations(server.url);
  const dataSource = new DataSource({ ...dataSourceOptions({ url: server.url, poolSize: 1 }), entities: [] });
  await dataSource.initialize();
  const definitions = definitionsOf(await indexesOf(dataSource));
  await dataSource.destroy();
  const text = `/** Every index that the migrations create, by name (generated: \`npm run schema:indexes\`). */
export const expectedIndexes: Readonly<Record<string, string>> = ${JSON.stringify(definitions)};
`;
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'typescript' }));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
