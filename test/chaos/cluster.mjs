import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL that keeps what it acknowledged, with a database for each run, which can be stopped like by a crash. */
export class Cluster {
  #folder = mkdtempSync(join(tmpdir(), 'tenure-chaos-'));
  #start;
  #server = null;

  async start() {
    // As root the database runs as another user, who has to reach its data below this folder.
    chmodSync(this.#folder, 0o711);
    const { startEmbeddedPostgres } = await import('../../dist/libs/embedded-postgres/index.js');
    const dataDir = join(this.#folder, 'postgres');
    this.#start = (port) => startEmbeddedPostgres({ dataDir, port, durability: 'full' });
    this.#server = await this.#start(0);
  }

  /** A folder for what else a run needs. */
  get folder() {
    return this.#folder;
  }

  get port() {
    return this.#server.port;
  }

  /** Makes an empty database; gives its address. */
  async createDatabase(name) {
    const client = new pg.Client({ connectionString: this.#server.url });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    const url = new URL(this.#server.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Ends all processes of PostgreSQL at once, without a checkpoint (`pg_ctl stop -m immediate`). */
  async crash() {
    const file = join(this.#folder, 'postgres', 'postmaster.pid');
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    // Gives the folder back. Said at once: the server would be started again otherwise.
    const stopped = this.#server.stop();
    const isThere = () => {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        return error.code === 'EPERM';
      }
    };
    while (isThere()) await pause(10);
    await stopped;
  }

  /** Starts it again where it was; ends when it has recovered and accepts connections. */
  async recover() {
    this.#server = await this.#start(this.#server.port);
  }

  async stop() {
    await this.#server?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
