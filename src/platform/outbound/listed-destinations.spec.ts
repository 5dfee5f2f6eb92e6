import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { outboundAllow } from '../config/outbound-allow.js';
import type { OutboundRequestFailed, OutboundUrlRefused } from './outbound-errors.js';
import { OutboundHttpClient, type OutboundRequest } from './outbound-http.client.js';
import type { OutboundOptions } from './outbound-options.js';
import { ownHostsOf } from './outbound-url.js';

const options: OutboundOptions = {
  allowPrivateNetworks: false,
  userAgent: 'test/1',
  maxConnectionsPerOrigin: 4,
};

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

describe('a destination that the operator lists', () => {
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (request.url === '/redirect') response.writeHead(302, { location: 'http://10.0.0.1/' });
    response.end();
  });
  const paths: string[] = [];
  let port = 0;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    paths.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const client = (list: string, ...answers: string[][]): OutboundHttpClient =>
    new OutboundHttpClient({ ...options, allow: outboundAllow(list), lookup: resolver(...answers).lookup });

  it.each([
    ['127.0.0.0/8', 'hooks.svc.cluster.local', ['127.0.0.1']],
    ['127.0.0.1', '127.0.0.1', []],
    ['127.0.0.1', '0x7f.1', []],
    ['127.0.0.1', '[::ffff:127.0.0.1]', []],
    ['127.0.0.1', 'localhost', ['127.0.0.1']],
    ['127.0.0.1', 'hooks.example', ['127.0.0.1']],
  ])('%s opens %s at save and at the call', async (list, host, addresses) => {
    const http = client(list, addresses);
    const url = `http://${host}:${port}/hook`;
    await expect(http.checkUrl(url)).resolves.toBeUndefined();
    expect((await http.send(post(url))).status).toBe(200);
    expect(paths).toEqual(['/hook']);
    await http.onApplicationShutdown();
  });

  it('opens by its name for private addresses', async () => {
    const http = client('hooks.svc.cluster.local', ['10.0.0.1', 'fd12::1']);
    await expect(http.checkUrl('http://hooks.svc.cluster.local:8080/hook')).resolves.toBeUndefined();
    await expect(http.checkUrl('https://HOOKS.svc.cluster.local./')).resolves.toBeUndefined();
    await http.onApplicationShutdown();
  });

  it('stays closed when its name leads to this machine or to the metadata service later', async () => {
    for (const address of ['127.0.0.1', '169.254.169.254']) {
      const http = client('hooks.svc.cluster.local', ['10.0.0.1'], [address]);
      const url = `http://hooks.svc.cluster.local:${port}/hook`;
      await http.checkUrl(url);
      expect((await failure(http.send(post(url)))).kind).toBe('refused');
      await http.onApplicationShutdown();
    }
    expect(paths).toEqual([]);
  });

  it.each(['other.svc.cluster.local', 'hooks.example', '10.0.0.1', '127.0.0.1', 'localhost'])(
    'leaves %s closed',
    async (host) => {
      const http = client('hooks.svc.cluster.local,10.20.0.0/16', ['127.0.0.1']);
      const url = `http://${host}:${port}/hook`;
      expect((await failure(http.checkUrl(url))).reason).toBe('private_address');
      expect((await failure(http.send(post(url)))).kind).toBe('refused');
      expect(paths).toEqual([]);
      await http.onApplicationShutdown();
    },
  );

  it('does not say whether an unlisted local name exists', async () => {
    const [exists, doesNot] = [client('10.20.0.0/16', ['10.0.0.1']), client('10.20.0.0/16', [])];
    const url = 'http://vault.internal/';
    expect((await failure(doesNot.checkUrl(url))).message).toBe(
      (await failure(exists.checkUrl(url))).message,
    );
    for (const http of [exists, doesNot]) expect((await failure(http.send(post(url)))).kind).toBe('refused');
  });

  it('does not lead on by a redirect', async () => {
    const http = client('127.0.0.1');
    expect((await http.send(post(`http://127.0.0.1:${port}/redirect`))).status).toBe(302);
    expect(paths).toEqual(['/redirect']);
    await http.onApplicationShutdown();
  });

  it('does not open this server itself', async () => {
    const ownHosts = ownHostsOf('https://tenure.example', [8787, 9464]);
    const http = new OutboundHttpClient({ ...options, ownHosts, allow: outboundAllow('127.0.0.0/8') });
    for (const own of ['http://127.0.0.1:8787/', 'http://127.0.0.1:9464/metrics']) {
      expect((await failure(http.checkUrl(own))).reason).toBe('own_host');
    }
    await http.onApplicationShutdown();
  });
});
