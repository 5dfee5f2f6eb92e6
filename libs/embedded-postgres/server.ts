import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.js';
import { ENVIRONMENT, type Place } from './cluster.js';
import { postmasterIn } from './postmaster.js';

/** `full`: acknowledged writes survive a crash. `test`: fast; nothing survives. */
export type Durability = 'full' | 'test';

export interface LaunchedServer {
  child: ChildProcess;
  port: number;
}

const POLL_MS = 10;
const REPORT_EVERY_MS = 10_000;
const LOG_LIMIT_BYTES = 1_000_000;
const PORT_ATTEMPTS = 5;

const common = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=128MB',
  'jit=off',
  // The application reports failed statements; logging them here would fill the disk with customers' data.
  'log_min_messages=log',
  'log_checkpoints=off',
  // A new database grows fast: plans for tables that were just empty soon become wrong.
  'autovacuum_naptime=15s',
];
export const serverSettings: Record<Durability, readonly string[]> = {
  full: [...common, 'wal_compression=on', 'max_wal_size=1GB', 'checkpoint_timeout=10min'],
  test: [...common, 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
};

/** Contains the last lines of the server's log. */
export class ServerDidNotStart extends Error {
  readonly portIsTaken: boolean;
  /** A process of an earlier server still holds the folder or its shared memory. */
  readonly leftoversLive: boolean;

  constructor(output: string, cause: Error | null) {
    const lines = output.trim().split('\n').slice(-5);
    super(`The embedded PostgreSQL did not start: ${cause?.message ?? lines.join(' | ')}`, {
      cause: cause ?? undefined,
    });
    this.portIsTaken = output.includes('could not bind');
    this.leftoversLive = /"postmaster\.pid" already exists|shared memory block .* is still in use/.test(
      output,
    );
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Opens the log for appending; truncates it if it is large. */
function openLog(file: string): { handle: number; size: number } {
  const handle = openSync(file, 'a', 0o600);
  if (fstatSync(handle).size > LOG_LIMIT_BYTES) ftruncateSync(handle);
  return { handle, size: fstatSync(handle).size };
}

/** Waits without a limit: recovery after a crash may take long, and interrupting it does not help. */
async function untilReady(
  child: ChildProcess,
  place: Place,
  outputSoFar: () => string,
  log: (line: string) => void,
): Promise<void> {
  let failure: Error | null = null;
  child.once('error', (error) => (failure = error));
  let reportAt = performance.now() + REPORT_EVERY_MS;
  for (;;) {
    if (failure !== null || child.exitCode !== null || child.signalCode !== null) {
      throw new ServerDidNotStart(outputSoFar(), failure);
    }
    const postmaster = postmasterIn(place.path);
    if (postmaster?.pid === child.pid && postmaster?.isReady) return;
    if (performance.now() > reportAt) {
      log('PostgreSQL is still starting; after a crash it first recovers');
      reportAt = performance.now() + REPORT_EVERY_MS;
    }
    await sleep(POLL_MS);
  }
}

async function launch(
  place: Place,
  port: number,
  binaries: PostgresBinaries,
  settings: readonly string[],
  log: (line: string) => void,
): Promise<ChildProcess> {
  const logFile = `${place.path}.log`;
  const output = openLog(logFile);
  const child = spawn(
    binaries.postgres,
    ['-D', place.path, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...place.user,
      cwd: '/',
      // A separate process group: Ctrl-C must reach only this process, which then stops the server.
      detached: true,
      stdio: ['ignore', output.handle, output.handle],
      env: ENVIRONMENT,
    },
  );
  closeSync(output.handle);
  const outputSoFar = (): string => readFileSync(logFile).subarray(output.size).toString('utf8');
  await untilReady(child, place, outputSoFar, log);
  return child;
}

/**
 * Starts the server and returns when it accepts connections.
 * @param wantedPort 0: any free port
 * @param settings `name=value`; the last one for a name applies
 * @throws ServerDidNotStart
 */
export async function launchServer(
  place: Place,
  wantedPort: number,
  binaries: PostgresBinaries,
  settings: readonly string[],
  log: (line: string) => void,
): Promise<LaunchedServer> {
  for (let attempt = 1; ; attempt++) {
    const port = wantedPort === 0 ? await freePort() : wantedPort;
    try {
      return { child: await launch(place, port, binaries, settings, log), port };
    } catch (error) {
      // Another process may have taken the free port in the meantime.
      const again = error instanceof ServerDidNotStart && error.portIsTaken && wantedPort === 0;
      if (!again || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}
