import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { guardedConnector, guardedLookup } from './guarded-connector.js';
import type { OutboundRequestFailed, OutboundUrlRefused } from './outbound-errors.js';
import { OutboundHttpClient, type OutboundRequest } from './outbound-http.client.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
import { ownHostsOf } from './outbound-url.js';

const options: OutboundOptions = {
  allowPrivateNetworks: false,
  userAgent: 'test/1',
  maxConnectionsPerOrigin: 4,
};
const PUBLIC_ADDRESS = '1.1.1.1';

/** Resolves names to lists of addresses, the next list for each repeated query. */
function resolver(...answers: string[][]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (host, { all }, callback) => {
    const addresses = answers[Math.min(asked.push(host), answers.length) - 1] ?? [];
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
  return { lookup, asked };
}

const post = (url: string): OutboundRequest => ({ method: 'POST', url, headers: {}, timeoutMs: 5000 });

const failure = (promise: Promise<unknown>): Promise<OutboundRequestFailed & OutboundUrlRefused> =>
  promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error as OutboundRequestFailed & OutboundUrlRefused,
  );

/** Spellings of this machine's addresses, and of others nearby, in a URL. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[2002:7f00:1::]',
  'localhost',
  'LocalHost',
  'loc%61lhost',
  'ⓛocalhost',
  'localhost.',
  'localhost..',
  'any.localhost',
];
const PRIVATE_ELSEWHERE = [
  '10.0.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '100.100.100.200',
  '168.63.129.16',
  '[fd00:ec2::254]',
  '[fe80::1]',
  'metadata.google.internal',
  'printer.local',
];

describe('saving a URL', () => {
  it.each([
    ['ftp://example.com', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://example.com', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['unix:/var/run/docker.sock', 'scheme'],
    ['', 'not_a_url'],
    ['not a url', 'not_a_url'],
    ['http://', 'not_a_url'],
    ['http://[::1', 'not_a_url'],
    ['http://256.1.1.1', 'not_a_url'],
    ['http://[fe80::1%25eth0]/', 'not_a_url'],
    ['http://user:secret@example.com', 'credentials'],
    ['http://user@example.com', 'credentials'],
    ['http://1.1.1.1@127.0.0.1/', 'credentials'],
    ['http:127.0.0.1', 'private_address'],
    ['http:/\\127.0.0.1', 'private_address'],
  ])('refuses %j', async (url, reason) => {
    const http = new OutboundHttpClient({ ...options, lookup: resolver([PUBLIC_ADDRESS]).lookup });
    const refusal = await failure(http.checkUrl(url));
    expect(refusal).toMatchObject({ name: 'OutboundUrlRefused', reason });
    expect(refusal.message).not.toContain('secret');
  });

  it.each([...PRIVATE_HOSTS, ...PRIVATE_ELSEWHERE])('refuses the host %s on any port', async (host) => {
    // No name is resolved: this resolver would make everything public.
    const { lookup, asked } = resolver([PUBLIC_ADDRESS]);
    const http = new OutboundHttpClient({ ...options, lookup });
    for (const url of [`http://${host}/`, `https://${host}:8443/path`]) {
      expect((await failure(http.checkUrl(url))).reason).toBe('private_address');
    }
    expect(asked).toEqual([]);
  });

  it('refuses a name when one of its addresses is private, without telling which', async () => {
    for (const address of ['10.0.0.1', '::1', 'fe80::1', '::ffff:10.0.0.1']) {
      const { lookup } = resolver([PUBLIC_ADDRESS, address]);
      const refusal = await failure(
        new OutboundHttpClient({ ...options, lookup }).checkUrl('https://example.com'),
      );
      expect(refusal.reason).toBe('private_address');
      expect(refusal.message).not.toContain(address);
    }
  });

  it('takes names with public addresses, public literals and names that do not resolve yet', async () => {
    const takes = (url: string, ...addresses: string[]): Promise<void> =>
      new OutboundHttpClient({ ...options, lookup: resolver(addresses).lookup }).checkUrl(url);
    await expect(takes('https://example.com', PUBLIC_ADDRESS, '2606:4700::1')).resolves.toBeUndefined();
    await expect(takes('http://1.1.1.1:8080/hook')).resolves.toBeUndefined();
    await expect(takes('https://[2606:4700:4700::1111]')).resolves.toBeUndefined();
    await expect(takes('https://tomorrow.example')).resolves.toBeUndefined();
  });

  it('takes private hosts where they are allowed, but no other scheme', async () => {
    const http = new OutboundHttpClient({ ...options, allowPrivateNetworks: true });
    for (const host of PRIVATE_HOSTS) {
      await expect(http.checkUrl(`http://${host}/`)).resolves.toBeUndefined();
    }
    expect((await failure(http.checkUrl('file:///etc/passwd'))).reason).toBe('scheme');
  });
});

describe('a URL of this server itself', () => {
  const own = ownHostsOf('https://tenure.example', [8787]);
  const http = new OutboundHttpClient({
    ...options,
    allowPrivateNetworks: true,
    ownHosts: own,
    lookup: resolver([PUBLIC_ADDRESS]).lookup,
  });

  it.each([
    'https://tenure.example/v1/receipts',
    'http://tenure.example/',
    'https://tenure.example:443/',
    'https://TENURE.example./hook',
    'http://localhost:8787/hook',
    'http://localhost.:8787/hook',
    'http://127.0.0.1:8787/',
    'http://127.1:8787/',
    'http://[::1]:8787/',
    'http://[0:0:0:0:0:0:0:1]:8787/',
    'http://0:8787/',
  ])('%s is refused at save and at the call, also where private networks are allowed', async (url) => {
    expect((await failure(http.checkUrl(url))).reason).toBe('own_host');
    const refused = await failure(http.send(post(url)));
    expect([refused.kind, refused.message]).toEqual(['refused', 'The URL leads to this server itself.']);
  });

  it.each(['https://tenure.example:8443/', 'https://hooks.tenure.example/', 'http://localhost:3000/hook'])(
    '%s is another',
    async (url) => {
      await expect(http.checkUrl(url)).resolves.toBeUndefined();
    },
  );
});

describe('calling a URL', () => {
  const server = createServer((_, response) => {
    called++;
    response.end();
  });
  let called = 0;
  let port = 0;

  beforeAll(async () => {
    server.listen(0);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    called = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function expectRefusal(http: OutboundHttpClient, host: string): Promise<void> {
    expect((await failure(http.send(post(`http://${host}:${port}/`)))).kind).toBe('refused');
    await http.onApplicationShutdown();
    expect(called).toBe(0);
  }

  it('would reach the server here if that were allowed', async () => {
    const http = new OutboundHttpClient({ ...options, allowPrivateNetworks: true });
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost']) {
      expect((await http.send(post(`http://${host}:${port}/`))).status).toBe(200);
    }
    expect(called).toBe(4);
    await http.onApplicationShutdown();
  });

  it.each(PRIVATE_HOSTS)('never reaches this machine as %s', async (host) => {
    await expectRefusal(new OutboundHttpClient(options), host);
  });

  it('refuses a name that was public when it was saved and is private when it is called', async () => {
    const { lookup, asked } = resolver([PUBLIC_ADDRESS], ['127.0.0.1']);
    const http = new OutboundHttpClient({ ...options, lookup });
    await http.checkUrl(`http://rebinding.example:${port}`);
    await expectRefusal(http, 'rebinding.example');
    expect(asked).toHaveLength(2);
  });

  it('asks once for a connection, so that there is no second answer to connect to', async () => {
    const { lookup, asked } = resolver(['127.0.0.1'], [PUBLIC_ADDRESS]);
    await expectRefusal(new OutboundHttpClient({ ...options, lookup }), 'rebinding.example');
    expect(asked).toEqual(['rebinding.example']);
  });

  it('refuses a name with a private address among public ones, wherever it stands', async () => {
    for (const addresses of [
      [PUBLIC_ADDRESS, '127.0.0.1'],
      ['127.0.0.1', PUBLIC_ADDRESS],
    ]) {
      const { lookup } = resolver(addresses);
      await expectRefusal(new OutboundHttpClient({ ...options, lookup }), 'mixed.example');
    }
  });

  it('refuses other schemes and credentials', async () => {
    const http = new OutboundHttpClient({ ...options, allowPrivateNetworks: true });
    for (const url of ['file:///etc/passwd', `http://user:secret@127.0.0.1:${port}`, 'nonsense']) {
      expect((await failure(http.send(post(url)))).kind).toBe('refused');
    }
    expect(called).toBe(0);
  });
});

describe('the resolver of sockets', () => {
  const ask = (addresses: string[], all: boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      guardedLookup({ ...options, lookup: resolver(addresses).lookup })(
        'h',
        { all },
        (error, found, family) => {
          if (error) reject(error);
          else resolve([found, family]);
        },
      );
    });

  it('hands out what it judged, as a list or as the first address', async () => {
    const found = [
      { address: PUBLIC_ADDRESS, family: 4 },
      { address: '2606:4700::1', family: 6 },
    ];
    expect(await ask([PUBLIC_ADDRESS, '2606:4700::1'], true)).toEqual([found, undefined]);
    expect(await ask([PUBLIC_ADDRESS, '2606:4700::1'], false)).toEqual([PUBLIC_ADDRESS, 4]);
  });

  it('judges every address, also when only one is asked for', async () => {
    await expect(ask([PUBLIC_ADDRESS, '10.0.0.1'], false)).rejects.toMatchObject({
      reason: 'private_address',
    });
    await expect(ask([], false)).rejects.toMatchObject({ code: 'ENODATA' });
  });
});

describe('the connector', () => {
  it.each(['127.0.0.1', '[::1]', '169.254.169.254', 'localhost'])(
    'opens no connection to %s, whatever the caller',
    async (hostname) => {
      const error = await new Promise((resolve) => {
        const target = { hostname, host: hostname, protocol: 'http:', port: '9' };
        guardedConnector(options)(target, (...[refusal]) => resolve(refusal));
      });
      expect(error).toMatchObject({ name: 'OutboundUrlRefused', reason: 'private_address' });
    },
  );
});

@Module({ providers: [{ provide: OUTBOUND_OPTIONS, useValue: options }, OutboundHttpClient] })
class ClientOnlyModule {}

it('needs only its options for the client, and closes it with its application', async () => {
  const application = await NestFactory.createApplicationContext(ClientOnlyModule, { logger: false });
  const http = application.get(OutboundHttpClient);
  expect((await failure(http.send(post('http://127.0.0.1/')))).kind).toBe('refused');
  await application.close();
  expect((await failure(http.send(post('http://1.1.1.1/')))).kind).toBe('reset');
});
