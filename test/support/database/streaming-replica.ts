import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../libs/embedded-postgres/index.js';
import { runMigrations } from '../../../src/platform/database/schema/migrate.js';

export interface ReplicatedDatabase {
  primary: EmbeddedPostgres;
  replica: EmbeddedPostgres;
  /** Starts the replica again on its port. */
  restartReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** A copy of a running server's folder that follows it, by the steps of `pg_basebackup`, which npm's binaries lack. */
async function copyAsReplica(primary: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('replica', true)`);
    execFileSync('cp', ['-a', from, to]);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    const { hostname, port, username, password } = new URL(primary.url);
    const address = `host=${hostname} port=${port} user=${username} password=${password}`;
    rmSync(join(to, 'postmaster.pid'));
    appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
    writeFileSync(join(to, 'standby.signal'), '');
    const { uid, gid } = statSync(from);
    for (const name of ['backup_label', 'standby.signal']) chownSync(join(to, name), uid, gid);
  } finally {
    await client.end();
  }
}

/** A migrated PostgreSQL and a streaming replica of it. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), `tenure-test-${process.pid}-`));
  // As root the database runs as another user, who has to reach its data below this folder.
  chmodSync(folder, 0o711);
  const primary = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'full' });
  await runMigrations(primary.url);
  const dataDir = join(folder, 'replica');
  await copyAsReplica(primary, join(folder, 'postgres'), dataDir);
  const started = {
    primary,
    replica: await startEmbeddedPostgres({ dataDir, durability: 'full' }),
    async restartReplica() {
      const { port } = started.replica;
      started.replica = await startEmbeddedPostgres({ dataDir, port, durability: 'full' });
    },
    async stop() {
      await started.replica.stop();
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return started;
}
