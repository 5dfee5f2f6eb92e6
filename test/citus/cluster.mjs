import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/free-port.mjs';
import { databaseUser, end, makeFolder, output, start, until } from '../operations/programs.mjs';

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=200',
  'max_worker_processes=32',
  'max_prepared_transactions=200',
  'max_locks_per_transaction=256',
  'citus.shard_count=8',
  'fsync=off',
];

const answers = async (url) => {
  const client = new pg.Client({ connectionString: url });
  const isThere = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return isThere;
};

/** A coordinator and two workers from the programs in a folder, where PostgreSQL has the citus extension. */
export async function startCluster(programs) {
  const { folder, remove } = makeFolder();
  const nodes = [];
  for (const name of ['coordinator', 'worker1', 'worker2']) {
    const data = join(folder, name);
    await output(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'tenure', '-A', 'trust', '-E', 'UTF8'],
      databaseUser(),
    );
    const port = await freePort();
    const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`];
    const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
    const child = start(join(programs, 'postgres'), args, {
      ...databaseUser(),
      env: { HOME: folder },
      stdio: 'ignore',
    });
    const url = `postgres://tenure@127.0.0.1:${port}/postgres`;
    await until(`${name} answers`, () => answers(url));
    nodes.push({ child, url });
  }
  return {
    urls: nodes.map(({ url }) => url),
    async stop() {
      for (const { child } of nodes) await end(child, 'SIGINT');
      remove();
    },
  };
}
