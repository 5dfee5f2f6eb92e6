import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import {
  hasLostName,
  isConnectionLoss,
  isGivenUp,
  isPoolExhausted,
  isRetryable,
  isWorkerLost,
} from './database-errors.js';

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

describe('the loss of a worker of Citus', () => {
  const failed = (code: string, message: string, where?: string) =>
    new QueryFailedError('SELECT 1', [], Object.assign(new Error(message), { code, where }));

  it.each([
    [
      '08006',
      'connection to the remote node postgres@10.0.0.2:5432 failed with the following error: refused',
    ],
    ['XX000', 'could not commit transaction for shard 102008 on at least one active node'],
    ['XX000', 'could not find valid entry for shard 102008'],
    ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432'],
    [
      '57P01',
      'terminating connection due to unexpected postmaster exit',
      'while executing command on 10.0.0.2:5432',
    ],
  ])('makes %s retryable: %s', (code, message, where = '') => {
    const error = failed(code, message, where);
    expect([isWorkerLost(error), isConnectionLoss(error), isRetryable(error)]).toEqual([true, true, true]);
  });

  it('differs from other internal errors, and from the loss of the whole database', () => {
    expect(isConnectionLoss(failed('XX000', 'tuple concurrently updated'))).toBe(false);
    const whole = failed('08006', 'server closed the connection unexpectedly');
    expect([isWorkerLost(whole), isConnectionLoss(whole)]).toEqual([false, true]);
    const ended = failed('57P01', 'terminating connection due to administrator command');
    expect([isWorkerLost(ended), isConnectionLoss(ended)]).toEqual([false, true]);
  });
});
