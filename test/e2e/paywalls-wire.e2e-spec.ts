import { createHash } from 'node:crypto';
import { uiConfigItems } from '../../libs/paywalls/index.js';
import { PaywallAddressesJob } from '../../src/catalog/paywalls/paywall-addresses.job.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { decodeOnAndroid, decodeOnIos } from '../peers/paywall-decoders.js';
import { type ParsedElement, parseContainer } from '../peers/config-container.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { paywallCalls } from '../support/arrange-paywalls.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { until } from '../support/program.js';
import { countQueries } from '../support/query-count.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { otherShop, shop } from '../support/world.js';

const DAY_MS = 86_400_000;

interface ConfigAnswer {
  status: number;
  bytes: Buffer;
  elements: ParsedElement[];
  /** The first element. */
  config: Json;
}

/** Asks for remote configuration as a phone does. */
async function askConfig(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  key: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<ConfigAnswer> {
  const answer = await fetch(`${baseUrl}/v1/config/app`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const elements = answer.status === 200 ? parseContainer(bytes) : [];
  const config = elements[0] ? JSON.parse(elements[0].payload.toString()) : null;
  return { status: answer.status, bytes, elements, config };
}

const refOf = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest().subarray(0, 24).toString('base64url');

async function blob(server: TestServer, projectId: string, ref: string, init?: RequestInit) {
  const answer = await fetch(`${server.baseUrl}/v1/blobs/${projectId}/${ref}`, init);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

describe('a project without published paywalls', () => {
  const store = shop();
  const { made, fullOffering } = paywallCalls(store);

  it('gets the answers of servers without paywalls, whatever its drafts', async () => {
    const offerings = async () => (await store.sdk.get('/v1/subscribers/x/offerings')).text;
    const config = async () => (await askConfig(store.server, store.publicKey)).bytes.toString('base64');
    const { id } = await fullOffering();
    const before = [await offerings(), await config()];
    await made('/paywalls', { offering_id: id, template_id: 'simple' });
    expect([await offerings(), await config()]).toEqual(before);
    expect(before[0]).not.toMatch(/paywall|ui_config/);
    expect((await askConfig(store.server, store.publicKey, { manifest: 'v1.empty' })).status).toBe(204);
  });
});

describe('remote configuration with published paywalls', () => {
  const store = shop({ hasReplica: true });
  const calls = paywallCalls(store);
  let first: { paywall: Json; offering: Json };
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
    first = await calls.published();
  });

  const ask = (body: unknown = {}, headers: Record<string, string> = {}) =>
    askConfig(store.server, store.publicKey, body, headers);

  it('names every topic, with a manifest of the content', async () => {
    const { bytes, config, elements } = await ask();
    const { manifest, ...rest } = config;
    const text = elements[0]?.payload.toString().replace(`"manifest":${JSON.stringify(manifest)},`, '');
    expect(JSON.parse(text ?? '')).toEqual(rest);
    expect(manifest).toBe(`v1.${refOf(Buffer.from(text ?? ''))}`);
    expect(Object.keys(config.topics)).toEqual(['sources', 'ui_config', 'workflows']);
    expect(Object.keys(config.topics.ui_config)).toEqual([...uiConfigItems]);
    expect(config.topics.sources.blob.sources).toEqual([
      {
        url_format: `${store.server.config.baseUrl}/v1/blobs/${store.projectId}/{blob_ref}`,
        priority: 0,
        weight: 1,
      },
    ]);
    expect(config.topics.workflows[`wf${first.paywall.id}`]).toEqual({
      offering_identifier: first.offering.lookup_key,
      blob_ref: expect.any(String),
      prefetch: false,
    });
    const again = await ask({ manifest });
    expect([again.status, again.bytes.length]).toEqual([204, 0]);
    expect((await ask({ manifest: 'v1.old' })).bytes).toEqual(bytes);
  });

  it('marks offerings that customers may be shown for fetching in advance, the current one first', async () => {
    const current = await calls.made('/paywalls', { offering_id: store.offering.id, template_id: 'simple' });
    await calls.publish(current.id);
    const ruled = await calls.published('simple');
    await calls.made('/targeting_rules', {
      display_name: 'Rule',
      state: 'active',
      offering_id: ruled.offering.id,
      conditions: [],
    });
    const { config, elements } = await ask();
    const { workflows, ui_config: uiConfig } = config.topics;
    const refs = [current.id, ruled.paywall.id].map((id: string) => workflows[`wf${id}`].blob_ref);
    expect(Object.values(workflows).map(({ prefetch }: any) => prefetch)).toEqual([true, true, false]);
    expect(config.prefetch_blobs).toEqual([...refs, ...uiConfigItems.map((item) => uiConfig[item].blob_ref)]);
    expect(elements.slice(1).map(({ ref }) => ref)).toEqual(config.prefetch_blobs);
    const fewer = await ask({ prefetched_blobs: [refs[0], uiConfig.app.blob_ref, 7] });
    expect(fewer.elements.slice(1).map(({ ref }) => ref)).toEqual(
      config.prefetch_blobs.filter((ref: string) => ref !== refs[0] && ref !== uiConfig.app.blob_ref),
    );
  });

  it.each([
    ['br, gzip', 2],
    ['gzip', 1],
    ['', 0],
  ])('uses the encoding that the phone accepts: %j', async (accepted, encoding) => {
    const { bytes, elements } = await ask({}, { 'accept-rc-element-encoding': accepted });
    const second = 8 + 32 + Math.ceil((elements[0]?.payload.length ?? 0) / 8) * 8;
    expect([bytes[8 + 28], bytes[second + 28]]).toEqual([0, encoding]);
    expect(elements.map(({ payload, ref }) => refOf(payload) === ref)).not.toContain(false);
  });

  it('names blobs that are served under their checksums and decode on phones', async () => {
    const { config } = await ask();
    const { ui_config: uiConfig, workflows } = config.topics;
    for (const { blob_ref: ref } of [...Object.values<Json>(uiConfig), ...Object.values<Json>(workflows)]) {
      const { status, bytes } = await blob(store.server, store.projectId, ref);
      expect([status, refOf(bytes)]).toEqual([200, ref]);
    }
    for (const { blob_ref: ref, offering_identifier: offering } of Object.values<Json>(workflows)) {
      const { bytes } = await blob(store.server, store.projectId, ref);
      const workflow = JSON.parse(bytes.toString());
      const [[paywallId, screen]] = Object.entries<Json>(workflow.screens) as [[string, Json]];
      expect([workflow.id, screen.offering_identifier]).toEqual([`wf${paywallId}`, offering]);
      const entries = Object.entries(screen).filter(
        ([key]) => !['name', 'offering_identifier', 'config'].includes(key),
      );
      const document = Object.fromEntries(entries);
      expect(() => decodeOnIos({ id: paywallId, ...document })).not.toThrow();
      expect(() => decodeOnAndroid({ id: paywallId, ...document })).not.toThrow();
    }
  });

  it.each<[string, string, Record<string, string>]>([
    ['a body that is no JSON', '{', {}],
    ['an empty body', '', {}],
    ['a list', '[1]', {}],
    ['a body over the limit', JSON.stringify({ a: 'x'.repeat(2 * 2 ** 20) }), {}],
    ['a body with too many values', `[${'1,'.repeat(30_000)}1]`, {}],
    ['another content type', 'a=b', { 'content-type': 'text/plain' }],
    ['an unknown encoding of the body', '{}', { 'content-encoding': 'compress' }],
    ['an unknown encoding of elements', '{}', { 'accept-rc-element-encoding': 'zstd' }],
    ['odd fields', '{"manifest":{"a":1},"prefetched_blobs":"x"}', {}],
  ])('answers %s', async (_, body, headers) => {
    const { status, elements } = await ask(body, headers);
    expect([status, elements.length > 1]).toEqual([200, true]);
  });

  it('requires a key, and no platform of a backend', async () => {
    expect((await askConfig(store.server, 'test_unknown')).status).toBe(401);
    const backend = await store.backend.post('/v1/config/app', {});
    expect(backend.status).toBe(200);
  });

  it('belongs to the project of the key', async () => {
    const { config } = await askConfig(store.server, foreign.publicKey);
    expect(config.topics).toEqual({});
  });

  it('follows publishing, archiving and unpublishing on every replica', async () => {
    const { paywall, offering } = await calls.published('simple');
    const idsOn = async (server: TestServer): Promise<string[]> =>
      Object.keys((await askConfig(server, store.publicKey)).config.topics.workflows);
    const id = `wf${paywall.id}`;
    const states = async () =>
      Promise.all([store.server, store.replica].map(async (server) => (await idsOn(server)).includes(id)));
    const eventually = async (expected: boolean) => {
      for (let attempt = 0; attempt < 100 && (await states()).includes(!expected); attempt++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await states()).toEqual([expected, expected]);
    };
    await eventually(true);
    await calls.post(`/offerings/${offering.id}/actions/archive`);
    await eventually(false);
    await calls.post(`/offerings/${offering.id}/actions/unarchive`);
    await eventually(true);
    await calls.unpublish(paywall.id);
    await eventually(false);
  });

  it('sends no query for content that the process has read', async () => {
    const { config } = await ask();
    const count = countQueries(store.server);
    const post = (body: object) => count(() => store.sdk.post('/v1/config/app', body));
    expect(await post({ manifest: config.manifest })).toEqual([]);
    expect(await post({ manifest: 'v1.old' })).toEqual([]);
    expect(
      await count(() => store.sdk.get(`/v1/blobs/${store.projectId}/${config.prefetch_blobs[0]}`)),
    ).toEqual([]);
  });

  it('names a new public address once the paywalls are written again', async () => {
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_PUBLIC_URL: 'https://new.example.com' };
    const { databaseUrl, clock } = store.server;
    const moved = await startTestServer({ env, databaseUrl, clock });
    try {
      const job = moved.app.get(PaywallAddressesJob);
      await job.run();
      const { config } = await askConfig(moved, store.publicKey);
      expect(config.topics.sources.blob.sources[0].url_format).toMatch(/^https:\/\/new\.example\.com\//);
      const { blob_ref: ref } = config.topics.workflows[`wf${first.paywall.id}`];
      expect((await blob(moved, store.projectId, ref)).bytes.toString()).toContain(
        `https://new.example.com/v1/blobs/${store.projectId}`,
      );
      const version = async () =>
        (
          await moved.dataSource.query('SELECT catalog_version FROM projects WHERE id = $1', [
            store.projectId,
          ])
        )[0];
      const before = await version();
      await job.run();
      expect(await version()).toEqual(before);
    } finally {
      await moved.close();
    }
    await store.server.app.get(PaywallAddressesJob).run();
    const { config } = await ask();
    const { blob_ref: ref } = config.topics.workflows[`wf${first.paywall.id}`];
    expect((await blob(store.server, store.projectId, ref)).bytes.toString()).not.toContain(
      'new.example.com',
    );
  });
});

describe('the content of published paywalls', () => {
  const store = shop();
  const calls = paywallCalls(store);
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const refs = async (): Promise<string[]> => {
    const { config } = await askConfig(store.server, store.publicKey);
    return Object.values<Json>(config.topics.workflows).map(({ blob_ref: ref }) => ref);
  };

  it('needs no credential, never changes, and does no harm in a browser', async () => {
    await calls.published('simple');
    const [ref = ''] = await refs();
    const { status, headers, bytes } = await blob(store.server, store.projectId, ref);
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
      200,
      'application/octet-stream',
      String(bytes.length),
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const head = await blob(store.server, store.projectId, ref, { method: 'HEAD' });
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([
      200,
      0,
      String(bytes.length),
    ]);
  });

  it('answers 404 without a body in another project and under another name', async () => {
    const [ref = ''] = await refs();
    for (const [projectId, name] of [
      [foreign.projectId, ref],
      ['projnone', ref],
      [store.projectId, refOf(Buffer.from('x'))],
      [store.projectId, 'short'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const { status, bytes, headers } = await blob(store.server, projectId, name, { method });
        expect([status, bytes.length, headers.get('cache-control')]).toEqual([404, 0, 'no-store']);
      }
    }
  });

  it('stays for 30 days after it was replaced', async () => {
    const { paywall } = await calls.published('simple');
    const before = await refs();
    await calls.retitle(paywall.id, 'Changed');
    await calls.publish(paywall.id);
    const after = await refs();
    const [gone = ''] = before.filter((ref) => !after.includes(ref));
    const { app } = store.server;
    const kept = async (): Promise<string[]> => {
      await app.get(CleanupsJob).run();
      const rows = await store.server.dataSource.query<{ ref: string }[]>(
        'SELECT ref FROM content_blobs WHERE project_id = $1',
        [store.projectId],
      );
      return rows.map(({ ref }) => ref);
    };
    store.clock.advanceMs(29 * DAY_MS);
    expect(await kept()).toContain(gone);
    store.clock.advanceMs(2 * DAY_MS);
    const left = await kept();
    expect(left).not.toContain(gone);
    expect(left).toEqual(expect.arrayContaining(after));
  });

  it('counts as used when the same content is published again', async () => {
    const { paywall } = await calls.published('simple');
    const [ref = ''] = await refs();
    await calls.unpublish(paywall.id);
    await calls.publish(paywall.id);
    const [row] = await store.server.dataSource.query<{ unused: boolean }[]>(
      'SELECT unused_since IS NOT NULL AS unused FROM content_blobs WHERE project_id = $1 AND ref = $2',
      [store.projectId, ref],
    );
    expect(row).toEqual({ unused: false });
  });

  it('needs an address that phones reach, or the setup says so', async () => {
    const warnings = async (client: ApiClient, path: string): Promise<Json[]> =>
      (await client.get(`${path}/setup_health`)).body.warnings;
    const { baseUrl } = store.server.config;
    expect(await warnings(store.backend, store.path)).toEqual([
      {
        type: 'unreachable_address',
        message: `Phones cannot load paywalls and images from ${baseUrl}. Set SERVICE_PUBLIC_URL.`,
        address: baseUrl,
      },
    ]);
    expect(await warnings(foreign.backend, foreign.path)).toEqual([]);
  });
});

describe('a published paywall in offerings', () => {
  const store = shop();
  const calls = paywallCalls(store);
  let paywall: Json;
  let offering: Json;
  const path = '/v1/subscribers/shopper/offerings';

  beforeAll(async () => {
    ({ paywall, offering } = await calls.published());
    const { components } = await calls.whole(paywall.id);
    const { components_localizations: texts } = components.published;
    await calls.patch(paywall.id, {
      revision: 1,
      components_localizations: { ...texts, de_DE: { ...texts.en_US } },
    });
    await calls.publish(paywall.id);
  });

  const offeringFor = async (headers: Record<string, string>): Promise<Json> => {
    const { body } = await store.sdk.get(path, headers);
    const found = body.offerings.find(({ identifier }: Json) => identifier === offering.lookup_key);
    return { body, found, other: body.offerings.find(({ identifier }: Json) => identifier === 'default') };
  };

  const whole = ['ios', 'iOS', 'macOS', 'tvOS', 'watchOS', 'visionOS', 'uikitformac'].flatMap((platform) => [
    [platform, '5.85.9', true] as const,
    [platform, '5.86.0', false] as const,
    [platform, '5.100.0', false] as const,
  ]);

  it.each<readonly [string | undefined, string | undefined, boolean]>([
    ...whole,
    ['ios', '11.1.0', false],
    ['ios', undefined, true],
    ['ios', 'abc', true],
    ['android', '10.16.9', true],
    ['android', '10.17.0', false],
    ['android', '11.1.0', false],
    ['android', '5.100.0', true],
    ['amazon', '10.17.0', false],
    ['android', 'abc', true],
    ['web', '1.63.1', true],
    ['roku', '1.0.0', false],
    ['stripe', undefined, true],
    [undefined, '11.1.0', true],
  ])('reaches %s %s with components: %s', async (platform, version, hasComponents) => {
    const headers = {
      ...(platform !== undefined && { 'x-platform': platform }),
      ...(version !== undefined && { 'x-version': version }),
    };
    const { body, found, other } = await offeringFor(headers);
    expect(found.has_paywall_components).toBe(true);
    expect(['paywall_components' in found, 'ui_config' in body]).toEqual([hasComponents, hasComponents]);
    expect(other).not.toHaveProperty('has_paywall_components');
    const { 'x-revenuecat-etag': tag = '' } = (await store.sdk.get(path, headers)).headers;
    expect((await store.sdk.get(path, { ...headers, 'x-revenuecat-etag': tag })).status).toBe(304);
  });

  it('contains documents that phones decode, and the configuration that they share', async () => {
    const { body, found } = await offeringFor({ 'x-platform': 'android', 'x-version': '9.0.0' });
    const document = found.paywall_components;
    expect(document).toMatchObject({
      id: paywall.id,
      template_name: 'components',
      asset_base_url: `${store.server.config.baseUrl}/v1/blobs/${store.projectId}`,
      revision: 2,
    });
    for (const key of ['name', 'offering_identifier', 'config']) expect(document).not.toHaveProperty(key);
    expect(() => decodeOnIos(document)).not.toThrow();
    expect(() => decodeOnAndroid(document)).not.toThrow();
    expect(Object.keys(body.ui_config)).toEqual([...uiConfigItems]);
    expect(Object.keys(body.ui_config.localizations)).toEqual(['de_DE', 'en_US']);
  });

  it.each([
    ['de', ['de_DE', 'en_US', 'de-DE', 'en-US']],
    ['de-AT,de;q=0.9', ['de_DE', 'en_US', 'de-DE', 'en-US', 'de-AT']],
    ['xx-YY', ['de_DE', 'en_US', 'de-DE', 'en-US']],
  ])('adds the locales of browsers that prefer %s', async (language, locales) => {
    const { body, found } = await offeringFor({ 'x-platform': 'web', 'accept-language': language });
    const { components_localizations: texts } = found.paywall_components;
    expect(Object.keys(texts).sort()).toEqual([...locales].sort());
    expect(Object.keys(body.ui_config.localizations).sort()).toEqual([...locales].sort());
    if (locales.length > 4) expect(texts['de-AT']).toEqual(texts.de_DE);
  });

  it('stays as published when its offering loses a package, which becomes a problem', async () => {
    const { paywall: other, offering: loses } = await calls.published('simple');
    const componentsOf = async (): Promise<Json> => {
      const { body } = await store.sdk.get(path, { 'x-platform': 'web' });
      return body.offerings.find(({ identifier }: Json) => identifier === loses.lookup_key);
    };
    const before = await componentsOf();
    const { items } = (await calls.get(`/offerings/${loses.id}/packages`)).body;
    await calls.remove(`/packages/${items[0].id}`);
    const after = await componentsOf();
    expect(after.packages).toHaveLength(before.packages.length - 1);
    expect(after.paywall_components).toEqual(before.paywall_components);
    const { problems } = await calls.whole(other.id);
    expect(problems).toContainEqual(expect.objectContaining({ severity: 'error', code: 'E7' }));
  });

  it('sends no query for paywalls that the process has read', async () => {
    const count = countQueries(store.server);
    const headers = { 'x-platform': 'web', 'accept-language': 'fr-FR' };
    // The changes above may reach this process up to a second later.
    const read = () => count(() => store.sdk.get(path, headers));
    await until(async () => (await read()).length === 0);
    expect(await read()).toEqual([]);
  });

  it('appears in experiments of the offering', async () => {
    const { body } = await calls.post('/experiments', {
      display_name: 'Two paywalls',
      offering_a_id: store.offering.id,
      offering_b_id: offering.id,
    });
    const { offering_a: a, offering_b: b } = body;
    expect([a.paywall_id, b.paywall_id]).toEqual([null, paywall.id]);
  });

  it('identifies the paywall of a view when an SDK names only the offering', async () => {
    const event = { type: 'paywall_impression', app_user_id: 'viewer', timestamp: store.clock.nowMs() };
    const events = [
      { ...event, id: '11111111-1111-4111-8111-111111111111', offering_id: offering.lookup_key },
      { ...event, id: '22222222-2222-4222-8222-222222222222', offering_id: 'default' },
    ];
    expect((await store.sdk.post('/v1/events', { events })).status).toBe(200);
    const rows = await store.server.dataSource.query<Json[]>(
      'SELECT paywall_id FROM sdk_events WHERE project_id = $1 ORDER BY id',
      [store.projectId],
    );
    expect(rows.map((row: Json) => row.paywall_id)).toEqual([paywall.id, null]);
  });
});

describe('signed remote configuration', () => {
  const store = shop({ env: { SERVICE_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64') } });

  it('accepts any signing headers', async () => {
    for (const headers of [
      { 'x-nonce': 'x' },
      { 'x-post-params-hash': 'x' },
      { 'x-post-params-hash': `manifest:sha256:${'0'.repeat(64)}` },
      { 'x-headers-hash': `X-Is-Sandbox:sha256:${'0'.repeat(64)}` },
    ] as Record<string, string>[]) {
      expect((await askConfig(store.server, store.publicKey, { manifest: 'v1.x' }, headers)).status).toBe(
        200,
      );
    }
  });
});

describe('a project with its paywalls', () => {
  it('disappears with them', async () => {
    const server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    try {
      const store = await createTestStore(server);
      const { body } = await store.backend.post(`${store.path}/paywalls`, {
        offering_id: store.offering.id,
        template_id: 'simple',
      });
      await store.backend.post(`${store.path}/paywalls/${body.id}/actions/publish`);
      expect((await store.session.delete(store.path)).status).toBe(200);
      expect((await askConfig(server, store.publicKey)).status).toBe(401);
    } finally {
      await server.close();
    }
  });
});
