/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument --
   What the clients send has no types. */
import { jest } from '@jest/globals';
import dns from 'node:dns';
import { once } from 'node:events';
import http, { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { DestinationType } from '../definition.js';
import { bodyOf, callsOf } from './fixture.js';

/** The clients that the tools publish send the same event to a local server. They are CommonJS. */
const require = createRequire(import.meta.url);

/** A client as its users' code sees it. Each is called as its documentation shows. */
type Client = Record<string, (...args: unknown[]) => any>;
type ClientClass = new (...args: unknown[]) => Client;

interface Recorded {
  path: string;
  headers: IncomingHttpHeaders;
  body: any;
}

const ISO = '2026-01-02T03:04:05.678Z';
const AT = new Date(ISO);
const HEX_KEY = '0123456789abcdef0123456789abcdef';

const recorded: Recorded[] = [];
let server: Server;
let address = '';

/** The JSON of a request, which older endpoints carry as base64 in the query. */
function bodyOfRequest(url: URL, content: Buffer, encoding: string | undefined): unknown {
  const data = url.searchParams.get('data');
  if (data !== null) return JSON.parse(Buffer.from(data, 'base64').toString());
  return JSON.parse((encoding === 'gzip' ? gunzipSync(content) : content).toString() || 'null');
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then((content) => {
      const url = new URL(request.url ?? '', 'http://recorder');
      const { headers } = request;
      const encoding = headers['content-encoding'];
      recorded.push({ path: url.pathname, headers, body: bodyOfRequest(url, content, encoding) });
      const answer =
        url.pathname === '/track' || url.pathname === '/engage' ? '1' : '{"code":200,"status":1}';
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // No client may reach its own host: only the literal address of the recorder needs no look-up.
  jest.spyOn(dns, 'lookup').mockImplementation((hostname: string) => {
    throw new Error(`${hostname} must not be reached`);
  });
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  jest.restoreAllMocks();
});

beforeEach(() => {
  recorded.length = 0;
});

function only(): Recorded {
  expect(recorded).toHaveLength(1);
  return recorded[0] as Recorded;
}

const pathOf = (type: DestinationType) => new URL(callsOf(type)[0]?.url ?? '').pathname;
const headersOf = (type: DestinationType) => callsOf(type)[0]?.headers ?? {};

/** The value without fields of which only the client has something to say. */
function without(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

describe('an official client', () => {
  it('sends the same to PostHog', async () => {
    const { PostHog } = require('posthog-node') as { PostHog: ClientClass };
    const ours = bodyOf('posthog') as any;
    const [{ event, distinct_id: distinctId, properties, uuid }] = ours.batch;
    const options = { host: `http://${address}`, flushAt: 1, disableCompression: true, disableGeoip: true };
    const client = new PostHog(ours.api_key, options);
    client.capture?.({ event, distinctId, properties, timestamp: AT, uuid });
    await client.shutdown?.();
    const { path, body } = only();
    expect(path).toBe(pathOf('posthog'));
    expect(Object.keys(without(body, ['sent_at', 'historical_migration'])).sort()).toEqual(
      Object.keys(ours).sort(),
    );
    const [sent] = body.batch;
    const theirs = without(sent, ['type', 'library', 'library_version']);
    const labels = ['$lib', '$lib_version', '$is_server'];
    expect({ ...theirs, properties: without(sent.properties, labels) }).toEqual(ours.batch[0]);
  });

  it('sends the same to Segment', async () => {
    const { Analytics } = require('@segment/analytics-node') as { Analytics: ClientClass };
    const ours = bodyOf('segment') as any;
    const [identify, track] = ours.batch;
    const client = new Analytics({
      writeKey: 'segmentWriteKey0123456789',
      host: `http://${address}`,
      flushAt: 2,
    });
    client.identify?.({ ...identify, timestamp: AT });
    client.track?.({ ...track, timestamp: AT });
    await client.closeAndFlush?.();
    const { path, headers, body } = only();
    expect(path).toBe(pathOf('segment'));
    expect(headers.authorization).toBe(headersOf('segment').authorization);
    expect(typeof body.sentAt).toBe('string');
    const theirs = body.batch.map((item: any) => ({
      ...without(item, ['_metadata', 'integrations']),
      context: { ...item.context, library: track.context.library },
    }));
    expect(theirs).toEqual(ours.batch);
  });

  it('sends the same to Amplitude', async () => {
    const { createInstance } = require('@amplitude/analytics-node') as { createInstance: () => Client };
    const ours = bodyOf('amplitude') as any;
    const serverUrl = `http://${address}/2/httpapi`;
    const client = createInstance();
    await client.init?.(HEX_KEY, { serverUrl, flushQueueSize: 1, minIdLength: 1, logLevel: 0 }).promise;
    await client.logEvent?.(ours.events[0]).promise;
    const { path, body } = only();
    expect(path).toBe(pathOf('amplitude'));
    expect(without(body, ['client_upload_time', 'request_metadata'])).toMatchObject(
      without(ours, ['events']),
    );
    const sent = without(body.events[0], [
      'library',
      'session_id',
      'event_id',
      'partner_id',
      'ip',
      'language',
    ]);
    expect(sent).toEqual(ours.events[0]);
  });

  it('sends the same properties and updates of profiles to Mixpanel', async () => {
    const { init } = require('mixpanel') as { init: (...args: unknown[]) => any };
    const client = init(HEX_KEY, { host: address, protocol: 'http', keepAlive: false });
    const [{ event, properties }] = bodyOf('mixpanel') as unknown as [any];
    await new Promise((resolve) => void client.track(event, without(properties, ['token']), resolve));
    const labels = ['mp_lib', '$lib_version'];
    expect(only().body.event).toBe(event);
    expect(without(only().body.properties, labels)).toEqual(properties);
    recorded.length = 0;
    const [set, append] = JSON.parse(callsOf('mixpanel')[1]?.body ?? '');
    await new Promise((resolve) => void client.people.set('ada', set.$set, { $ip: '0' }, resolve));
    await new Promise((resolve) => void client.people.append('ada', append.$append, { $ip: '0' }, resolve));
    expect(recorded.map(({ path }) => path)).toEqual(['/engage', '/engage']);
    expect(recorded.map(({ body }) => body)).toEqual([set, append]);
  });

  it('sends the same person, name and attributes to Customer.io', async () => {
    const { TrackClient } = require('customerio-node') as { TrackClient: ClientClass };
    // The client knows only https.
    const request = jest.spyOn(https, 'request').mockImplementation(http.request);
    const { batch } = bodyOf('customerio') as any;
    const [identify, event] = batch;
    const [hostname, port] = address.split(':');
    const options = { url: `https://${hostname}/api/v1`, port };
    const client = new TrackClient('0123456789abcdef0123', 'abcdef0123456789abcd', options);
    await client.identify?.(identify.identifiers.id, identify.attributes);
    const { name, id, timestamp, attributes: data } = event;
    await client.track?.(event.identifiers.id, { name, id, timestamp, data });
    request.mockRestore();
    expect(recorded.map(({ path }) => path)).toEqual([
      '/api/v1/customers/ada',
      '/api/v1/customers/ada/events',
    ]);
    for (const { headers } of recorded)
      expect(headers.authorization).toBe(headersOf('customerio').authorization);
    expect(recorded[0]?.body).toEqual(identify.attributes);
    expect(recorded[1]?.body).toEqual({ name, id, timestamp, data });
  });
});
