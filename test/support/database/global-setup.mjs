import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../../../scripts/build.mjs';

const PREFIX = 'tenure-test-';

/** Folders of runs that were killed; their servers end with them. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    try {
      process.kill(Number(readFileSync(join(folder, 'runner.pid'), 'utf8')), 0);
      continue;
    } catch {
      // The run that made the folder is gone.
    }
    try {
      process.kill(
        Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
        'SIGQUIT',
      );
    } catch {
      // It left no server behind.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One server for the whole run, with the migrated template that `createTestDatabase` clones. */
export default async function globalSetup() {
  if (process.env.TEST_ADMIN_DATABASE_URL) return;
  build();
  removeLeftovers();
  const { startEmbeddedPostgres } = await import('../../../dist/src/database/embedded/index.js');
  const { runMigrations } = await import('../../../dist/src/database/migrate.js');
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // The database's own user has to reach its data below this folder.
  chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'runner.pid'), String(process.pid));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'test' });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE DATABASE template_tenure');
  await client.end();
  const template = new URL(server.url);
  template.pathname = '/template_tenure';
  await runMigrations(template.toString());
  process.env.TEST_ADMIN_DATABASE_URL = server.url;
  globalThis.tenureTestDatabase = {
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
