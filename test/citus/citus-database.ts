import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { distribute } from '../../src/platform/database/citus/distribution.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/schema/migrate.js';
import { createOnNodes, dropOnNodes } from './databases.mjs';

/** Without a cluster, the suites are skipped. */
export const describeCitus = process.env.CITUS_URL ? describe : describe.skip;

export interface CitusDatabase {
  /** Address of the coordinator. */
  url: string;
  drop(): Promise<void>;
}

/** A new database on all nodes, without tables. */
export async function createCitusDatabase(): Promise<CitusDatabase> {
  const servers = (process.env.CITUS_URL ?? '').split(',');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createOnNodes(servers, name);
  const url = Object.assign(new URL(servers[0] ?? ''), { pathname: `/${name}` });
  return { url: url.href, drop: () => dropOnNodes(servers, name) };
}

/** Distributes all tables of a database. */
export async function distributeAll({ url }: CitusDatabase): Promise<void> {
  const options = dataSourceOptions({ url, poolSize: 4 });
  const dataSource = await new DataSource({ ...options, entities: [] }).initialize();
  await distribute(dataSource, () => undefined).finally(() => dataSource.destroy());
}

/** A new database on all nodes with distributed tables, all empty. */
export async function createDistributedDatabase(): Promise<CitusDatabase> {
  const database = await createCitusDatabase();
  await runMigrations(database.url);
  await distributeAll(database);
  return database;
}
