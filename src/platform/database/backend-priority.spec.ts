import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import type pg from 'pg';
import { hasTimeSlices, timeSliceMs } from '../../../test/support/time-slice.js';
import { lowerBackendPriority } from './backend-priority.js';

const HERE = { localAddress: '127.0.0.1', localPort: 5_001, remoteAddress: '127.0.0.1' };
const TITLE = 'postgres: tenure tenure 127.0.0.1(5001) idle';
/** Elsewhere nobody tells whose process it is. */
const isLinux = process.platform === 'linux';

describe('a process of PostgreSQL that works for jobs', () => {
  const before = getPriority();
  let backend: ChildProcess;

  afterEach(async () => {
    backend.kill();
    await once(backend, 'exit');
  });

  /** What becomes of the priority of a process with a title, when a connection says that it leads there. */
  async function lowered(title: string, stream: object, niceness = before + 1): Promise<number> {
    backend = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      argv0: title,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(backend, 'spawn');
    const pid = backend.pid as number;
    const connection = { processID: pid, connection: { stream } } as unknown as pg.ClientBase;
    await lowerBackendPriority(connection, niceness);
    return getPriority(pid);
  }

  it('stands back for others', async () => {
    const usualMs = hasTimeSlices ? timeSliceMs(process.pid) : 0;
    expect(await lowered(TITLE, HERE)).toBe(isLinux ? before + 1 : before);
    if (hasTimeSlices) expect(timeSliceMs(backend.pid as number)).toBeGreaterThan(usualMs);
  });

  it.each([
    ["of another machine's", TITLE, { ...HERE, remoteAddress: '127.0.0.2' }],
    ['of a connection through a socket file', TITLE, {}],
    ['of a number that is another program here', 'node 127.0.0.1(5001)', HERE],
    ["of another connection's", TITLE, { ...HERE, localPort: 5_002 }],
    ['of a port that only ends like it', TITLE, { ...HERE, localPort: 1 }],
  ])('is left alone: %s', async (_, title, stream) => {
    expect(await lowered(title, stream)).toBe(before);
    if (hasTimeSlices) expect(timeSliceMs(backend.pid as number)).toBe(timeSliceMs(process.pid));
  });

  it('is never raised', async () => {
    expect(await lowered(TITLE, HERE, before - 1)).toBe(before);
  });
});
