import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Without a cluster, the suites are skipped. */
export const describeCitus = process.env.CITUS_URL ? describe : describe.skip;

async function run(url: string, ...commands: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const command of commands) await client.query(command);
  } finally {
    await client.end();
  }
}

export interface CitusDatabase {
  /** Address of the coordinator. */
  url: string;
  drop(): Promise<void>;
}

/** A new database on all nodes, without tables. */
export async function createCitusDatabase(): Promise<CitusDatabase> {
  const servers = (process.env.CITUS_URL ?? '').split(',');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const databases = servers.map((server) => Object.assign(new URL(server), { pathname: `/${name}` }));
  for (const server of servers)
    await run(server, 'SET citus.enable_create_database_propagation = off', `CREATE DATABASE ${name}`);
  for (const { href } of databases) await run(href, 'CREATE EXTENSION citus');
  const [coordinator = new URL('postgres://127.0.0.1'), ...workers] = databases;
  await run(
    coordinator.href,
    `SELECT citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`,
    ...workers.map(({ hostname, port }) => `SELECT citus_add_node('${hostname}', ${port})`),
  );
  return {
    url: coordinator.href,
    async drop() {
      for (const server of servers) {
        await run(
          server,
          'SET citus.enable_create_database_propagation = off',
          `DROP DATABASE ${name} WITH (FORCE)`,
        );
      }
    },
  };
}
