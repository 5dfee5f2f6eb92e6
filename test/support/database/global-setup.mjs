import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { build } from '../../../scripts/build.mjs';
import { makeRunFolder, removeLeftovers } from './leftovers.mjs';
import { startPgBouncer } from './pgbouncer.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends the server at once when the run ends without its teardown; what that leaves, the next run removes. */
function onAbruptEnd(folder) {
  const end = () => {
    try {
      const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // It has ended, or still writes in the folder.
    }
  };
  const endBySignal = (signal) => {
    end();
    process.off(signal, endBySignal);
    process.kill(process.pid, signal);
  };
  process.on('exit', end);
  for (const signal of SIGNALS) process.on(signal, endBySignal);
  return () => {
    process.off('exit', end);
    for (const signal of SIGNALS) process.off(signal, endBySignal);
  };
}

async function buildTemplate(adminUrl, runMigrations) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('CREATE DATABASE template_tenure');
  await client.end();
  const template = new URL(adminUrl);
  template.pathname = '/template_tenure';
  await runMigrations(template.toString());
}

/** The same on a cluster of Citus, which runs until its `stop`. */
async function startCitus(runMigrations) {
  const { startCluster } = await import('../../citus/cluster.mjs');
  const { closeOnNodes, createOnNodes } = await import('../../citus/databases.mjs');
  const { distribute } = await import('../../../dist/src/platform/database/citus/distribution.js');
  const { dataSourceOptions } = await import('../../../dist/src/platform/database/data-source.js');
  const cluster = await startCluster(process.env.CITUS_BIN);
  const template = Object.assign(new URL(cluster.urls[0]), { pathname: '/template_tenure' }).href;
  await createOnNodes(cluster.urls, 'template_tenure');
  await runMigrations(template);
  const dataSource = new DataSource({ ...dataSourceOptions({ url: template, poolSize: 4 }), entities: [] });
  await dataSource.initialize();
  await distribute(dataSource, () => undefined);
  await dataSource.destroy();
  await closeOnNodes(cluster.urls, 'template_tenure');
  process.env.TEST_CITUS_NODES = cluster.urls.join(',');
  [process.env.TEST_ADMIN_DATABASE_URL] = cluster.urls;
  return cluster;
}

/** One server for the whole run, with the migrated template that `createTestDatabase` clones. */
export default async function globalSetup() {
  if (process.env.TEST_ADMIN_DATABASE_URL) return;
  await build();
  const { endAbandonedPostgres, startEmbeddedPostgres } =
    await import('../../../dist/libs/embedded-postgres/index.js');
  const { runMigrations } = await import('../../../dist/src/platform/database/schema/migrate.js');
  if (process.env.TEST_CITUS) {
    globalThis.tenureTestDatabase = await startCitus(runMigrations);
    return;
  }
  await removeLeftovers(endAbandonedPostgres);
  const folder = makeRunFolder();
  const ended = onAbruptEnd(folder);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'test' });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    ended();
  };
  try {
    await buildTemplate(server.url, runMigrations);
  } catch (error) {
    // Jest runs no teardown after a setup that failed.
    await stop();
    throw error;
  }
  process.env.TEST_ADMIN_DATABASE_URL = server.url;
  const pooler = process.env.TEST_POOLER === 'pgbouncer' ? await startPgBouncer(folder, server.url) : null;
  if (pooler) process.env.TEST_POOLER_PORT = String(pooler.port);
  globalThis.tenureTestDatabase = {
    stop: async () => {
      pooler?.stop();
      await stop();
    },
  };
}
