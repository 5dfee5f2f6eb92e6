import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type LookupFunction } from 'node:net';
import type { OutboundRequestFailed, OutboundUrlRefused } from './outbound-errors.js';
import { OutboundHttpClient, type OutboundOptions, type OutboundRequest } from './outbound-http-client.js';

const closers: (() => void)[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(options: Partial<OutboundOptions> = {}): OutboundHttpClient {
  const made = new OutboundHttpClient({
    allowPrivateNetworks: true,
    userAgent: 'test/1',
    ...options,
  });
  closers.push(() => void made.onApplicationShutdown());
  return made;
}

function post(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs: 2000,
    ...more,
  };
}

/** Names that resolve to a list of addresses, one list after the other for repeated questions. */
function resolver(...answers: string[][]): LookupFunction {
  let asked = 0;
  return (_host, options, callback) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

const failure = (promise: Promise<unknown>): Promise<OutboundRequestFailed & OutboundUrlRefused> =>
  promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error as OutboundRequestFailed & OutboundUrlRefused,
  );

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe('outbound client', () => {
  it('sends body and headers and gives status, headers and body of the answer', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (data) => (body += String(data)));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['user-agent'], request.headers['x-a'], body]);
        response.writeHead(201, { 'x-b': 'c' }).end('made');
      });
    });
    const answer = await client().send(post(`${url}/hook?q=1`, { headers: { 'x-a': 'b' }, body: 'text' }));
    expect(seen).toEqual([['POST', '/hook?q=1', 'test/1', 'b', 'text']]);
    expect(answer).toMatchObject({ status: 201, body: 'made' });
    expect(answer.headers['x-b']).toBe('c');
  });

  it('does not follow redirects', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    expect((await client().send(post(url))).status).toBe(302);
  });

  it('keeps only the first bytes of a long answer and does not wait for its end', async () => {
    const url = await serve((_, response) => {
      response.write('x'.repeat(100_000));
    });
    const answer = await client().send(post(url, { maxResponseBytes: 10 }));
    expect(answer.body).toBe('x'.repeat(10));
  });

  it('ends at the time limit, also when an answer trickles', async () => {
    const silent = await serve(() => undefined);
    expect((await failure(client().send(post(silent, { timeoutMs: 60 })))).kind).toBe('timeout');
    const trickling = await serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(timer));
    });
    const limited = post(trickling, { timeoutMs: 80, maxResponseBytes: 1_000_000 });
    expect((await failure(client().send(limited))).kind).toBe('timeout');
  });

  it('tells a refused connection, a closed connection and a non-HTTP answer apart', async () => {
    const free = createTcpServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    expect((await failure(client().send(post(`http://127.0.0.1:${port}`)))).kind).toBe('connect');
    const closing = await serve((request) => request.socket.destroy());
    expect((await failure(client().send(post(closing)))).kind).toBe('reset');
    const raw = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n\r\n')).listen(0, '127.0.0.1');
    await once(raw, 'listening');
    closers.push(() => raw.close());
    const odd = await failure(client().send(post(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`)));
    expect(odd.kind).toBe('protocol');
  });

  it('refuses header values with line breaks', async () => {
    const failed = await failure(client().send(post('http://127.0.0.1:1', { headers: { a: 'b\r\nc: d' } })));
    expect(failed.kind).toBe('refused');
  });
});

describe('outbound client on the public internet only', () => {
  const guarded = (...answers: string[][]): OutboundHttpClient =>
    client({ allowPrivateNetworks: false, lookup: answers.length > 0 ? resolver(...answers) : undefined });

  it.each([
    ['ftp://example.com', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['not a url', 'not_a_url'],
    ['http://user:secret@example.com', 'credentials'],
    ['http://127.0.0.1/', 'private_address'],
    ['http://2130706433/', 'private_address'],
    ['http://0177.0.0.1/', 'private_address'],
    ['http://0x7f.1/', 'private_address'],
    ['http://127.1/', 'private_address'],
    ['http://[::1]/', 'private_address'],
    ['http://[::ffff:169.254.169.254]/', 'private_address'],
    ['http://169.254.169.254/latest/meta-data', 'private_address'],
    ['http://localhost:8787/', 'private_address'],
    ['http://localhost./', 'private_address'],
    ['http://metadata.google.internal/', 'private_address'],
  ])('refuses to save %s', async (url, reason) => {
    expect((await failure(guarded().checkUrl(url))).reason).toBe(reason);
  });

  it('refuses a name when one of its addresses is private, and takes one whose addresses are all public', async () => {
    expect((await failure(guarded(['1.1.1.1', '10.0.0.1']).checkUrl('https://example.com'))).reason).toBe(
      'private_address',
    );
    await expect(
      guarded(['1.1.1.1', '2606:4700::1']).checkUrl('https://example.com'),
    ).resolves.toBeUndefined();
  });

  it('refuses at the moment of connecting, also a name that was public when it was saved', async () => {
    const rebinding = guarded(['1.1.1.1'], ['127.0.0.1']);
    await rebinding.checkUrl('http://example.com');
    expect((await failure(rebinding.send(post('http://example.com')))).kind).toBe('refused');
  });

  it('never connects to a private address, however it is written', async () => {
    let called = 0;
    const url = await serve((_, response) => {
      called++;
      response.end();
    });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost', '[::ffff:127.0.0.1]']) {
      expect((await failure(guarded().send(post(`http://${host}:${port}/`)))).kind).toBe('refused');
    }
    expect(called).toBe(0);
  });
});
