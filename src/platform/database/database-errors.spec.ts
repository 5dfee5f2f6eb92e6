import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { hasLostName, isConnectionLoss, isGivenUp, isPoolExhausted, isRetryable } from './database-errors.js';

describe('errors of the pool of connections', () => {
  it('distinguishes a pool without a free connection, which is not tried again, from a server that is away', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const pool = new pg.Pool({ host: '127.0.0.1', port, max: 1, connectionTimeoutMillis: 50 });
    const [connecting, waiting] = await Promise.all(
      [pool.connect(), pool.connect()].map((promise) => promise.catch((error: unknown) => error)),
    );
    expect([isPoolExhausted(waiting), isConnectionLoss(waiting), isRetryable(waiting)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isPoolExhausted(connecting), isConnectionLoss(connecting)]).toEqual([false, true]);
    await pool.end();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});

describe('a statement that the server gave up', () => {
  const failed = (code: string) => new QueryFailedError('SELECT 1', [], Object.assign(new Error(), { code }));

  it.each(['57014', '55P03', '25P04', '53000', '53100', '53200'])(
    'skips an immediate retry after %s',
    (code) => {
      expect([isGivenUp(failed(code)), isRetryable(failed(code))]).toEqual([true, false]);
    },
  );

  it.each(['53300', '40P01', '23505', '22P02'])('ignores %s', (code) => {
    expect(isGivenUp(failed(code))).toBe(false);
  });
});

describe('a named statement that a pooler lost', () => {
  it.each(['26000', '42P05'])('recognizes one of %s, and its transaction is tried again', (code) => {
    const failed = new QueryFailedError('SELECT 1', [], Object.assign(new Error(), { code }));
    expect([hasLostName(failed), isRetryable(failed), isConnectionLoss(failed)]).toEqual([true, true, false]);
  });
});
