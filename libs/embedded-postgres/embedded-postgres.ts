import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { nativePackage, type PostgresBinaries, postgresBinaries } from './binaries.js';
import { DATABASE_USER, ensureCluster, passwordOf, type Place, placeOf } from './cluster.js';
import { lockFolder } from './folder-lock.js';
import { endPostmaster, orphanOn, postmasterIn } from './postmaster.js';
import { identityOf } from './process-identity.js';
import { Supervised } from './supervised.js';
import {
  type Durability,
  type LaunchedServer,
  launchServer,
  ServerDidNotStart,
  serverSettings,
} from './server.js';

/** Maximum time for the processes of a killed server to end. */
const LEFTOVERS_PATIENCE_MS = 10_000;
const RETRY_MS = 20;

interface EmbeddedPostgresOptions {
  /** Created on the first start. */
  dataDir: string;
  /** TCP port on the loopback address; 0 or absent: any free port. */
  port?: number;
  durability: Durability;
  /** PostgreSQL settings, `name=value`, that override the defaults here. */
  settings?: readonly string[];
  /** Called if the server ended unexpectedly and cannot be restarted. Default: logs it. */
  onLost?: (error: Error) => void;
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  url: string;
  port: number;
  /** Stops the server cleanly and releases the folder; a second call waits for the first. */
  stop(): Promise<void>;
}

async function endOrphan({ path }: Place, log: (line: string) => void): Promise<void> {
  const orphan = orphanOn(path);
  if (!orphan) return;
  log(`ending PostgreSQL (process ${orphan.pid}), left by a process that was killed`);
  await endPostmaster(orphan);
}

async function launchAfterOrphan(
  place: Place,
  binaries: PostgresBinaries,
  { port = 0, durability, settings = [] }: EmbeddedPostgresOptions,
  log: (line: string) => void,
): Promise<LaunchedServer> {
  const giveUpAt = performance.now() + LEFTOVERS_PATIENCE_MS;
  for (;;) {
    await endOrphan(place, log);
    try {
      return await launchServer(place, port, binaries, [...serverSettings[durability], ...settings], log);
    } catch (error) {
      const later = error instanceof ServerDidNotStart && error.leftoversLive;
      if (!later || performance.now() > giveUpAt) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function urlOf(port: number, password: string): string {
  return `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/postgres`;
}

async function assertConnects(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The embedded PostgreSQL refuses the connection: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function startOn(
  place: Place,
  options: EmbeddedPostgresOptions,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const binaries = postgresBinaries(nativePackage(), place.user, dirname(place.path));
  ensureCluster(place, binaries, options.durability === 'full');
  const password = passwordOf(place);
  const { child, port } = await launchAfterOrphan(place, binaries, options, log);
  const supervised = new Supervised(child, {
    // The port must not change, because clients keep using it.
    launch: async () => (await launchAfterOrphan(place, binaries, { ...options, port }, log)).child,
    onLost: options.onLost ?? ((error) => log(error.message)),
    log,
  });
  const end = async (): Promise<void> => {
    await supervised.stop();
    const server = identityOf(supervised.pid);
    if (server) await endPostmaster(server);
  };
  const url = urlOf(port, password);
  try {
    await assertConnects(url);
  } catch (error) {
    await end();
    throw error;
  }
  return { url, port, stop: end };
}

/**
 * Initialises the folder on the first start, takes it over from a killed owner, and listens on loopback only.
 * @throws Error if another living process uses the folder, or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const place = placeOf(options.dataDir, log);
  const unlock = await lockFolder(`${place.path}.lock`);
  try {
    const server = await startOn(place, options, log);
    let stopped: Promise<void> | null = null;
    return { ...server, stop: () => (stopped ??= server.stop().finally(unlock)) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Returns the server that another process runs on a folder; null if none accepts connections. */
export function runningPostgres(dataDir: string): Pick<EmbeddedPostgres, 'url' | 'port'> | null {
  const place = placeOf(dataDir, () => undefined);
  const server = postmasterIn(place.path);
  return server?.isReady ? { url: urlOf(server.port, passwordOf(place)), port: server.port } : null;
}

/**
 * Stops the server that a killed process left running on a folder.
 * @throws Error if a living process uses the folder
 * @public
 */
export async function endAbandonedPostgres(dataDir: string): Promise<void> {
  const place = placeOf(dataDir, () => undefined);
  const unlock = await lockFolder(`${place.path}.lock`);
  try {
    await endOrphan(place, () => undefined);
  } finally {
    unlock();
  }
}
