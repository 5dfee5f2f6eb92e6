import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../free-port.mjs';

async function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const ATTEMPTS = 5;

export function isPgBouncerInstalled() {
  return spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * PgBouncer of the machine (Debian: `apt-get install pgbouncer`) in transaction mode, before every database of a server.
 * A port that was free a moment ago can be another program's by now: then it ends, and another one is tried.
 */
export async function startPgBouncer(folder, databaseUrl, settings = {}) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const started = await launch(folder, databaseUrl, await freePort(), settings);
    if (started) return started;
  }
  throw new Error(`PgBouncer did not start in ${ATTEMPTS} attempts.`);
}

/** Null when it ended, or does not answer. */
async function launch(folder, databaseUrl, port, settings) {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const file = join(folder, 'pgbouncer.ini');
  const server = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`;
  const lines = [
    '[databases]',
    `* = ${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 10',
    'max_client_conn = 1000',
    'ignore_startup_parameters = extra_float_digits',
    'log_connections = 0',
    'log_disconnections = 0',
    // The last one of a name counts.
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...asUser, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', (error) => process.stderr.write(`pgbouncer: ${error.message}\n`));
  process.once('exit', () => child.kill('SIGKILL'));
  const stop = () => child.kill('SIGKILL');
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (await answers(port)) {
      // The program that answers may be the other one.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (child.exitCode === null) return { port, stop };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  stop();
  return null;
}
