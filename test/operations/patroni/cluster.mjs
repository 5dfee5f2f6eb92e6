import { execFileSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.mjs';
import { databaseUser, end, postgresPrograms, start, until } from '../programs.mjs';

const asked = (url) =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** JSON is YAML. Times are in seconds; 20 is the shortest life of the leader's key that Patroni takes. */
const nodeSettings = (folder, node, etcdPort) => ({
  scope: 'tenure',
  name: node.name,
  restapi: { listen: `127.0.0.1:${node.restPort}`, connect_address: `127.0.0.1:${node.restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 5,
      retry_timeout: 5,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: '256MB' } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${node.port}`,
    connect_address: `127.0.0.1:${node.port}`,
    data_dir: node.data,
    bin_dir: postgresPrograms(),
    pgpass: join(folder, `${node.name}.pgpass`),
    authentication: {
      superuser: { username: 'postgres' },
      replication: { username: 'replicator' },
    },
    parameters: { unix_socket_directories: folder },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
});

const proxySettings = (port, nodes) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen postgresql
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`).join('\n')}
`;

/** Two PostgreSQL nodes under Patroni with synchronous replication, etcd, and HAProxy that finds the leader. */
export async function startCluster(folder) {
  const user = databaseUser();
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const [client, peer] = [etcdPort, peerPort].map((port) => `http://127.0.0.1:${port}`);
  const etcd = start(
    'etcd',
    [
      ['--name', 'one'],
      ['--data-dir', join(folder, 'etcd')],
      ['--listen-client-urls', client],
      ['--advertise-client-urls', client],
      ['--listen-peer-urls', peer],
      ['--initial-advertise-peer-urls', peer],
      ['--initial-cluster', `one=${peer}`],
      ['--logger', 'zap'],
      ['--log-level', 'error'],
    ].flat(),
    { ...user, cwd: folder },
  );
  await until('etcd answers', () => asked(`${client}/health`));

  const nodes = [];
  // No words of SQL: Patroni writes them into synchronous_standby_names as they are, where FIRST has a meaning.
  for (const name of ['node1', 'node2']) {
    nodes.push({ name, port: await freePort(), restPort: await freePort(), data: join(folder, name) });
  }
  const is = (node, role) => asked(`http://127.0.0.1:${node.restPort}/${role}`);
  const launch = (node) => {
    const file = join(folder, `${node.name}.yml`);
    writeFileSync(file, JSON.stringify(nodeSettings(folder, node, etcdPort), null, 2));
    // Also for those who wonder why a node does not come.
    const log = openSync(join(folder, `${node.name}.log`), 'a');
    node.patroni = start('patroni', [file], {
      ...user,
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { PATH: `${process.env.PATH}:/usr/bin`, HOME: folder, LANG: 'C.UTF-8' },
    });
  };
  const postmaster = (node) => Number(readFileSync(join(node.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.once('exit', () => {
    for (const node of nodes.filter(({ data }) => existsSync(join(data, 'postmaster.pid')))) {
      try {
        process.kill(postmaster(node), 'SIGKILL');
      } catch {
        // It was killed before.
      }
    }
  });
  launch(nodes[0]);
  await until('the first node leads', () => is(nodes[0], 'primary'), 120_000);
  launch(nodes[1]);
  await until('the second node replicates', () => is(nodes[1], 'synchronous'), 120_000);

  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, proxySettings(proxyPort, nodes));
  const proxy = start('haproxy', ['-f', file, '-db'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  });

  const leader = async () => {
    for (const node of nodes) if (await is(node, 'primary')) return node;
    return null;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${proxyPort}/postgres`,
    /** `kill -9` of Patroni, of PostgreSQL and of all its processes, as when the machine goes. */
    async killLeader() {
      const node = await leader();
      const main = postmaster(node);
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(main)], { encoding: 'utf8' });
      const gone = end(node.patroni, 'SIGKILL');
      for (const pid of [main, ...children.trim().split(/\s+/)]) process.kill(Number(pid), 'SIGKILL');
      const at = Date.now();
      await gone;
      return { node, at };
    },
    /** Starts a node that was killed; ends when it is the synchronous replica. */
    async bringBack(node) {
      launch(node);
      await until(`${node.name} is back`, () => is(node, 'synchronous'), 120_000);
    },
    async stop() {
      await end(proxy, 'SIGKILL');
      // Patroni stops its PostgreSQL when it is asked to end; the replica first, or it would lead again.
      const first = await leader();
      for (const node of [...nodes].sort((a) => (a === first ? 1 : -1))) await end(node.patroni);
      await end(etcd, 'SIGKILL');
    },
  };
}
