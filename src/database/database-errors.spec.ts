import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { isConnectionLoss, isPoolExhausted, isRetryable } from './database-errors.js';

describe('errors of the pool of connections', () => {
  it('tells a pool without a free connection, which is not tried again, from a server that is away', async () => {
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
