import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type LookupFunction,
  type Socket,
} from 'node:net';
import type { OutboundRequestFailed } from './outbound-errors.js';
import { OutboundHttpClient, type OutboundRequest } from './outbound-http.client.js';
import type { OutboundOptions } from './outbound-options.js';

const closers: (() => unknown)[] = [];
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${portOf(await listen(createServer(listener)))}`;
}

function client(options: Partial<OutboundOptions> = {}): OutboundHttpClient {
  const made = new OutboundHttpClient({
    allowPrivateNetworks: true,
    userAgent: 'test/1',
    maxConnectionsPerOrigin: 4,
    ...options,
  });
  closers.push(() => made.onApplicationShutdown());
  return made;
}

function post(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: 'POST', url, headers: {}, body: '{}', timeoutMs: 5000, ...more };
}

const failure = (promise: Promise<unknown>): Promise<OutboundRequestFailed> =>
  promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error as OutboundRequestFailed,
  );

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('a request', () => {
  it('sends body and headers, and returns status, headers and body', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (data) => (body += String(data)));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['user-agent'], request.headers['x-a'], body]);
        response.writeHead(201, { 'x-b': 'c' }).end('made');
      });
    });
    const http = client();
    const answer = await http.send(post(`${url}/hook?q=1`, { headers: { 'x-a': 'b' }, body: 'text' }));
    await http.send(post(url, { headers: { 'User-Agent': 'mine' }, body: Buffer.from('Zoë') }));
    await http.send(post(url, { method: 'GET', body: undefined }));
    expect(seen).toEqual([
      ['POST', '/hook?q=1', 'test/1', 'b', 'text'],
      ['POST', '/', 'mine', undefined, 'Zoë'],
      ['GET', '/', 'test/1', undefined, ''],
    ]);
    expect(answer).toMatchObject({ status: 201, body: 'made' });
    expect(answer.headers['x-b']).toBe('c');
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('goes to the address that its host name resolves to, with the name as Host', async () => {
    const url = await serve((request, response) => response.end(request.headers.host));
    const lookup: LookupFunction = (_host, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const named = `http://hooks.example:${new URL(url).port}`;
    expect((await client({ lookup }).send(post(named))).body).toBe(new URL(named).host);
  });

  it.each([301, 302, 307, 308])('does not follow a redirect (%i)', async (status) => {
    let followed = 0;
    const elsewhere = await serve((_, response) => {
      followed++;
      response.end();
    });
    const url = await serve((_, response) => response.writeHead(status, { location: elsewhere }).end());
    const answer = await client().send(post(url));
    expect(answer).toMatchObject({ status, headers: { location: elsewhere } });
    expect(followed).toBe(0);
  });

  it.each([204, 400, 404, 500, 503])('takes any status for an answer (%i)', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    expect((await client().send(post(url))).status).toBe(status);
  });

  it.each([
    ['a line break in a value', { a: 'b\r\nc: d' }],
    ['a bare line feed in a value', { a: 'b\nc' }],
    ['a NUL in a value', { a: 'b\0' }],
    ['a character beyond Latin-1 in a value', { a: '€' }],
    ['a line break in a name', { 'a\r\nb': 'c' }],
    ['an empty name', { '': 'c' }],
    ['a length that is not that of the body', { 'Content-Length': '999' }],
    ['a transfer coding', { 'Transfer-Encoding': 'chunked' }],
  ])('refuses %s', async (_, headers: Record<string, string>) => {
    let called = 0;
    const url = await serve((__, response) => {
      called++;
      response.end();
    });
    expect((await failure(client().send(post(url, { headers })))).kind).toBe('refused');
    expect(called).toBe(0);
  });
});

describe('the body of an answer', () => {
  it('cuts it at the limit, and closes the connection instead of reading to the end', async () => {
    const closed: Promise<void>[] = [];
    const url = await serve((request, response) => {
      closed.push(new Promise((resolve) => request.socket.on('close', () => resolve())));
      response.write('x'.repeat(100_000));
    });
    const answer = await client().send(post(url, { maxResponseBytes: 10 }));
    expect(answer.body).toBe('x'.repeat(10));
    await closed[0];
    expect((await client().send(post(url))).body).toBe('x'.repeat(4096));
  });

  it('loses its NUL characters, which cannot be stored', async () => {
    const url = await serve((_, response) => response.end('a\0b'));
    expect((await client().send(post(url))).body).toBe('ab');
  });
});

describe('the time limit', () => {
  /** Shorter than every other limit on a call, however slow the machine is. */
  const BEFORE_OTHERS_MS = 20_000;

  /** Milliseconds until the call timed out. */
  async function timeUntilTimeout(http: OutboundHttpClient, call: OutboundRequest): Promise<number> {
    const startedAt = performance.now();
    expect((await failure(http.send(call))).kind).toBe('timeout');
    return performance.now() - startedAt;
  }

  it('ends a call whose answer never begins', async () => {
    const url = await serve(() => undefined);
    const spentMs = await timeUntilTimeout(client(), post(url, { timeoutMs: 60 }));
    expect(spentMs).toBeGreaterThan(50);
    expect(spentMs).toBeLessThan(BEFORE_OTHERS_MS);
  });

  it('ends a call whose answer trickles for ever', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(timer));
    });
    const limited = post(url, { timeoutMs: 150, maxResponseBytes: 1_000_000 });
    expect(await timeUntilTimeout(client(), limited)).toBeLessThan(BEFORE_OTHERS_MS);
  });

  it('covers a name server that does not answer', async () => {
    const lookup: LookupFunction = () => undefined;
    const slow = post('http://slow.example', { timeoutMs: 60 });
    expect(await timeUntilTimeout(client({ lookup }), slow)).toBeLessThan(BEFORE_OTHERS_MS);
  });

  it('covers a TLS handshake that does not proceed', async () => {
    const sockets: Socket[] = [];
    const mute = createTcpServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });
    const slow = post(`https://127.0.0.1:${portOf(mute)}`, { timeoutMs: 60 });
    expect(await timeUntilTimeout(client(), slow)).toBeLessThan(BEFORE_OTHERS_MS);
  });

  it('covers the wait for a free connection, and what waited too long is not sent later', async () => {
    const paths: unknown[] = [];
    const release: (() => void)[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      if (request.url === '/first') release.push(() => response.end());
      else response.end();
    });
    const http = client({ maxConnectionsPerOrigin: 1 });
    const first = http.send(post(`${url}/first`));
    expect(await timeUntilTimeout(http, post(`${url}/second`, { timeoutMs: 100 }))).toBeLessThan(
      BEFORE_OTHERS_MS,
    );
    release[0]?.();
    expect((await first).status).toBe(200);
    expect((await http.send(post(`${url}/third`))).status).toBe(200);
    expect(paths).toEqual(['/first', '/third']);
  });
});

describe('a failed call', () => {
  it('reports a refused connection', async () => {
    const free = createTcpServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const port = portOf(free);
    await new Promise((resolve) => free.close(resolve));
    expect((await failure(client().send(post(`http://127.0.0.1:${port}`)))).kind).toBe('connect');
  });

  it('reports a connection closed without or during an answer', async () => {
    const silent = await serve((request) => request.socket.destroy());
    expect((await failure(client().send(post(silent)))).kind).toBe('reset');
    const amid = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    });
    expect((await failure(client().send(post(amid)))).kind).toBe('reset');
  });

  it('reports an answer that is not HTTP', async () => {
    const raw = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n\r\n')).listen(0, '127.0.0.1');
    await once(raw, 'listening');
    closers.push(() => raw.close());
    expect((await failure(client().send(post(`http://127.0.0.1:${portOf(raw)}`)))).kind).toBe('protocol');
  });

  it('reports that TLS failed: no TLS there, or no certificate', async () => {
    const plain = await serve((_, response) => response.end());
    expect((await failure(client().send(post(plain.replace('http:', 'https:'))))).kind).toBe('tls');
    const bare = await listen(createHttpsServer({}));
    expect((await failure(client().send(post(`https://127.0.0.1:${portOf(bare)}`)))).kind).toBe('tls');
  });

  it.each<[string, LookupFunction]>([
    ['does not exist', (_h, _o, done) => done(Object.assign(new Error(), { code: 'ENOTFOUND' }), '', 0)],
    ['has no address', (_h, _o, done) => done(null, [])],
  ])('reports that the name %s', async (_, lookup) => {
    expect((await failure(client({ lookup }).send(post('http://gone.example')))).kind).toBe('dns');
  });
});

describe('connections', () => {
  it('reuses them, and opens no more to an origin than allowed', async () => {
    const sockets = new Set<unknown>();
    let active = 0;
    let most = 0;
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      most = Math.max(most, ++active);
      setTimeout(() => {
        active--;
        response.end('ok');
      }, 10);
    });
    const http = client({ maxConnectionsPerOrigin: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => http.send(post(url))));
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 8 }, () => 'ok'));
    expect(most).toBe(2);
    expect(sockets.size).toBe(2);
  });

  it('closes them when the application stops, and ends running calls', async () => {
    const arrived: (() => void)[] = [];
    const reached = new Promise<void>((resolve) => arrived.push(resolve));
    const url = await serve(() => arrived[0]?.());
    const http = client();
    const running = failure(http.send(post(url)));
    await reached;
    await http.onApplicationShutdown();
    expect((await running).kind).toBe('reset');
    expect((await failure(http.send(post(url)))).kind).toBe('reset');
  });
});
