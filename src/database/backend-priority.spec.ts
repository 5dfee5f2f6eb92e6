import { getPriority } from 'node:os';
import type pg from 'pg';
import { lowerBackendPriority } from './backend-priority.js';

/** A connection whose other side says that it is this process. */
const connection = (stream: object) =>
  ({ processID: process.pid, connection: { stream } }) as unknown as pg.ClientBase;

describe('what stands back for others', () => {
  it.each([
    ['another machine', { localAddress: '10.0.0.1', localPort: 5_432, remoteAddress: '10.0.0.2' }],
    ['a process that is none of PostgreSQL', { localAddress: '::1', localPort: 5_432, remoteAddress: '::1' }],
    ['a connection without addresses', {}],
  ])('is not %s', async (_, stream) => {
    const before = getPriority();
    await lowerBackendPriority(connection(stream), before + 1);
    expect(getPriority()).toBe(before);
  });
});
