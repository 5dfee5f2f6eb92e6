import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net';
import { request } from 'undici';
import { outboundAllow } from '../config/outbound-allow.js';
import { OutboundConnectionsClient } from './outbound-connections.client.js';
import { OutboundUrlRefused } from './outbound-errors.js';
import type { OutboundOptions } from './outbound-options.js';

/** Resolves every name to these addresses. */
const resolving =
  (...addresses: string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };

describe('connections to hosts that a user entered', () => {
  const clients: OutboundConnectionsClient[] = [];
  const greeter = createTcpServer((socket) => socket.end('hello'));
  let web: Server;
  let webPort = 0;
  let greeterPort = 0;
  let calls = 0;

  beforeAll(async () => {
    web = createServer((_request, response) => {
      calls++;
      response.end('answer');
    });
    web.listen(0, '127.0.0.1');
    greeter.listen(0, '127.0.0.1');
    await Promise.all([once(web, 'listening'), once(greeter, 'listening')]);
    webPort = (web.address() as AddressInfo).port;
    greeterPort = (greeter.address() as AddressInfo).port;
  });
  beforeEach(() => {
    calls = 0;
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.onApplicationShutdown()));
  });
  afterAll(() => {
    web.closeAllConnections();
    web.close();
    greeter.close();
  });

  function client(options: Partial<OutboundOptions> = {}): OutboundConnectionsClient {
    const created = new OutboundConnectionsClient({
      allowPrivateNetworks: false,
      userAgent: 'test/1',
      maxConnectionsPerOrigin: 4,
      ...options,
    });
    clients.push(created);
    return created;
  }

  const errorOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  const get = async (connections: OutboundConnectionsClient, url: string): Promise<string> =>
    (await request(url, { dispatcher: connections.dispatcher })).body.text();

  async function greeting(connections: OutboundConnectionsClient, host: string): Promise<string> {
    const socket = await connections.connectSocket(host, greeterPort);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  }

  it('connects to a private host that the operator lists, also over plain http', async () => {
    const listed = client({ allow: outboundAllow('files.example'), lookup: resolving('10.0.0.1') });
    await expect(listed.checkUrl('http://files.example')).resolves.toBeUndefined();
    const local = client({ allow: outboundAllow('127.0.0.0/8'), lookup: resolving('127.0.0.1') });
    expect(await get(local, `http://minio.example:${webPort}/`)).toBe('answer');
    expect(await greeting(local, 'sftp.example')).toBe('hello');
    expect(await greeting(local, '127.0.0.1')).toBe('hello');
  });

  it.each(['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'refuses %s',
    async (host) => {
      const guarded = client();
      for (const work of [
        get(guarded, `http://${host}:${webPort}/`),
        get(guarded, `https://${host}:${webPort}/`),
        guarded.connectSocket(host, greeterPort),
        guarded.checkUrl(`https://${host}:${webPort}`),
      ]) {
        const error = await errorOf(work);
        expect(guarded.refusalOf(error)).toContain('is not an address of the public internet');
      }
      expect(calls).toBe(0);
    },
  );

  it('refuses a name that resolves to a private address', async () => {
    const guarded = client({ lookup: resolving('1.1.1.1', '10.0.0.1') });
    const errors = await Promise.all([
      errorOf(get(guarded, 'https://files.example/')),
      errorOf(guarded.connectSocket('files.example', 22)),
      errorOf(guarded.checkUrl('https://files.example')),
    ]);
    for (const error of errors) {
      expect(guarded.refusalOf(error)).toBe('files.example is not an address of the public internet.');
    }
  });

  it.each(['files.example', '1.1.1.1'])('refuses plain http to the public host %s', async (host) => {
    for (const allowPrivateNetworks of [true, false]) {
      const guarded = client({ allowPrivateNetworks, lookup: resolving('1.1.1.1') });
      const error = await errorOf(get(guarded, `http://${host}/`));
      expect(guarded.refusalOf(error)).toBe(`${host} must be called with https.`);
      await expect(guarded.checkUrl(`http://${host}`)).rejects.toThrow(OutboundUrlRefused);
      await expect(guarded.checkUrl(`https://${host}`)).resolves.toBeUndefined();
    }
  });

  it('refuses this server itself', async () => {
    const guarded = client({ allowPrivateNetworks: true, ownHosts: [`127.0.0.1:${webPort}`] });
    const error = await errorOf(get(guarded, `http://127.0.0.1:${webPort}/`));
    expect(guarded.refusalOf(error)).toBe('The URL leads to this server itself.');
    await expect(guarded.checkUrl(`http://127.0.0.1:${webPort}`)).rejects.toThrow(OutboundUrlRefused);
  });

  it.each(['ftp://files.example', 'https://user:password@files.example', 'files.example'])(
    'refuses the URL %s',
    async (url) => {
      await expect(client({ lookup: resolving('1.1.1.1') }).checkUrl(url)).rejects.toThrow(
        OutboundUrlRefused,
      );
    },
  );

  it('does not call other errors a refusal', async () => {
    const open = client({ allowPrivateNetworks: true });
    const error = await errorOf(open.connectSocket('127.0.0.1', 1));
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(open.refusalOf(error)).toBeNull();
  });
});
