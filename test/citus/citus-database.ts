import { randomBytes } from 'node:crypto';
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
