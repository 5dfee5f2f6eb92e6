import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An embedded PostgreSQL that commits durably, in a folder that goes with it; `settings`: `name=value`. */
export async function startDatabase(settings = []) {
  const { startEmbeddedPostgres } = await import('../dist/libs/embedded-postgres/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-'));
  // Run by root, the server has a user of its own, who has to get there: else the data would stand elsewhere and stay.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, durability: 'full', settings });
  return {
    url: postgres.url,
    pid: Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]),
    folder,
    stop: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
