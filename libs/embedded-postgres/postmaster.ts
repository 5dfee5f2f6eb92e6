import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isRunning, isTaken, type ProcessIdentity } from './process-identity.js';

const PID_FILE = 'postmaster.pid';
const POLL_MS = 10;
/** PostgreSQL's shutdown modes, from weakest to strongest: fast, immediate, kill. */
const WAYS_TO_END = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const;

/** Reads `postmaster.pid`; null if there is no such file. */
export function postmasterIn(dataPath: string): { pid: number; port: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(dataPath, PID_FILE), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whether the process is a PostgreSQL server on this folder; null if the system hides it. */
function runsOn(pid: number, dataPath: string): boolean | null {
  if (process.platform !== 'linux') {
    const { status, stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return status === 0 ? stdout.includes(`-D ${dataPath} `) : null;
  }
  try {
    // PostgreSQL's working directory is its data folder.
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    return program.startsWith('postgres') && readlinkSync(`/proc/${pid}/cwd`) === dataPath;
  } catch {
    return null;
  }
}

/**
 * Returns the server that a killed owner left running on the folder, or null. Removes a `postmaster.pid` whose number
 * now belongs to another process or to a zombie, because PostgreSQL would mistake either for a running server. In doubt
 * the file stays and PostgreSQL decides.
 */
export function orphanOn(dataPath: string): ProcessIdentity | null {
  const pid = postmasterIn(dataPath)?.pid;
  if (pid === undefined || !isTaken(pid)) return null;
  const identity = identityOf(pid);
  const isServer = identity !== null && runsOn(pid, dataPath);
  if (isServer === false) rmSync(join(dataPath, PID_FILE), { force: true });
  return isServer ? identity : null;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function hasEnded(server: ProcessIdentity, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs;
  while (isRunning(server)) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Stops a server, cleanly if possible, and returns when its process is gone.
 * @throws Error if it cannot be stopped
 */
export async function endPostmaster(server: ProcessIdentity): Promise<void> {
  for (const way of WAYS_TO_END) {
    if (!isRunning(server)) return;
    signal(server.pid, way.signal);
    if (await hasEnded(server, way.patienceMs)) return;
  }
  throw new Error(`PostgreSQL (process ${server.pid}) does not end.`);
}
