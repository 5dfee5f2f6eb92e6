import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/free-port.mjs';
import {
  databaseUser,
  end,
  makeFolder,
  output,
  start,
  until,
  untilOrEnded,
} from '../operations/programs.mjs';

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

/** A PostgreSQL with Citus in `folder`, that can be killed and started again on the same port. */
async function startNode(programs, folder, name) {
  const data = join(folder, name);
  await output(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'tenure', '-A', 'trust', '-E', 'UTF8'],
    databaseUser(),
  );
  const port = await freePort();
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`];
  const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
  const url = `postgres://tenure@127.0.0.1:${port}/postgres`;
  let child;
  const launch = () => {
    child = start(join(programs, 'postgres'), args, {
      ...databaseUser(),
      env: { HOME: folder },
      stdio: 'ignore',
    });
    return untilOrEnded(child, `${name} answers`, () => answers(url));
  };
  const restart = () => until(`${name} starts`, launch);
  await restart();
  return {
    url,
    port,
    /** `kill -9`. Its other processes end when they notice. */
    kill: () => end(child, 'SIGKILL'),
    /** Repeated until the processes of a killed one have ended. */
    restart,
    stop: () => end(child, 'SIGINT'),
  };
}

/** A coordinator and two workers from the programs in a folder, where PostgreSQL has the citus extension. */
export async function startCluster(programs) {
  const { folder, remove } = makeFolder();
  const nodes = [];
  const add = async (name) => {
    const node = await startNode(programs, folder, name);
    nodes.push(node);
    return node;
  };
  for (const name of ['coordinator', 'worker1', 'worker2']) await add(name);
  return {
    nodes,
    urls: nodes.map(({ url }) => url),
    /** Starts another worker, of which the coordinator does not know yet. */
    add,
    async stop() {
      for (const { stop } of nodes) await stop();
      remove();
    },
  };
}
