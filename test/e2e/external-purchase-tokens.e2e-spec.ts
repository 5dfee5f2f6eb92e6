import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { walkList } from '../support/walk-list.js';
import { buyer, otherShop, shop } from '../support/world.js';

const bundleId = 'com.example.app';
const APPLE_ID = 6443000000;

describe('tokens of purchases outside a store, in REST v2', () => {
  const store = shop();
  let apple: string;
  let google: string;
  let tokens = 0;

  const path = (suffix = ''): string => `${store.path}/external_purchase_tokens${suffix}`;
  const appleToken = (more: object = {}): string =>
    Buffer.from(
      JSON.stringify({
        appAppleId: APPLE_ID,
        bundleId,
        tokenCreationDate: store.clock.nowMs(),
        externalPurchaseId: `v2-${++tokens}`,
        ...more,
      }),
    ).toString('base64url');
  const customer = async (): Promise<string> => {
    const one = buyer(store);
    await one.info();
    return one.id;
  };
  const add = (id: string, body: object, client: ApiClient = store.backend): Promise<Answer> =>
    client.post(`${store.path}/customers/${id}/external_purchase_tokens`, body);
  const added = async (id: string, body: object = {}): Promise<Json> => {
    store.clock.advanceMs(1);
    const answer = await add(id, { app_id: apple, store: 'apple', token: appleToken(), ...body });
    expect(answer.status).toBe(201);
    return answer.body;
  };

  beforeAll(async () => {
    const app = async (type: string, own: object): Promise<string> =>
      (await store.backend.post(`${store.path}/apps`, { name: type, type, [type]: own })).body.id;
    apple = await app('app_store', { bundle_id: bundleId, app_apple_id: APPLE_ID });
    google = await app('play_store', { package_name: bundleId });
  });

  it("stores Apple's token of a customer and reads its content", async () => {
    const id = await customer();
    const token = appleToken({ externalPurchaseId: 'SANDBOX_1', tokenType: 'SERVICES' });
    const body = await added(id, { token, kind: 'LINK_OUT' });
    expect(body).toEqual({
      object: 'external_purchase_token',
      id: expect.stringMatching(/^ept[0-9a-f]{32}$/),
      app_id: apple,
      store: 'apple',
      kind: 'SERVICES',
      environment: 'sandbox',
      external_purchase_id: 'SANDBOX_1',
      customer_id: id,
      state: 'open',
      token_created_at: store.clock.nowMs() - 1,
      token_expires_at: null,
      created_at: store.clock.nowMs(),
      bindings: [],
    });
    expect((await store.backend.get(path(`/${body.id}`))).body).toEqual(body);
    const [log] = (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items;
    expect([log.action_type, JSON.stringify(log)]).toEqual([
      'external_purchase_token_created',
      expect.stringContaining(body.id),
    ]);
    expect(JSON.stringify(log)).not.toContain(token);
  });

  it('stores tokens of Google Play sealed, as opaque text', async () => {
    const token = 'opaque-'.repeat(500);
    const body = await added(await customer(), {
      app_id: google,
      store: 'google',
      token,
      kind: 'ACQUISITION',
    });
    expect(body).toMatchObject({
      store: 'google',
      kind: 'ACQUISITION',
      external_purchase_id: null,
      state: 'open',
    });
    const [row] = await store.server.dataSource.query<Json[]>(
      'SELECT * FROM external_purchase_tokens WHERE project_id = $1 AND id = $2',
      [store.projectId, body.id],
    );
    expect([row?.sealed_token !== null, JSON.stringify(row).includes('opaque-')]).toEqual([true, false]);
  });

  it('returns the known token of the customer, and rejects that of another one with 409', async () => {
    const id = await customer();
    const token = appleToken();
    const first = await added(id, { token });
    store.clock.advanceMs(1_000);
    expect(await added(id, { token, kind: 'IN_APP' })).toEqual(first);
    const other = await add(await customer(), { app_id: apple, store: 'apple', token });
    expect([other.status, other.body.param]).toEqual([409, 'token']);
  });

  it('answers a repeated request with the same idempotency key alike', async () => {
    const body = { app_id: google, store: 'google', token: 'opaque' };
    const client = store.backend.with({ 'idempotency-key': 'one-token' });
    const id = await customer();
    const first = await add(id, body, client);
    expect((await add(id, body, client)).body).toEqual(first.body);
  });

  it('rejects unusable tokens and other input with an error that names the field', async () => {
    const id = await customer();
    const valid = { app_id: apple, store: 'apple', token: appleToken() };
    const cases: [object, number, string][] = [
      [{ token: 'x' }, 400, 'token'],
      [{ token: appleToken({ bundleId: 'com.example.other' }) }, 400, 'token'],
      [{ token: appleToken({ appAppleId: 1 }) }, 400, 'token'],
      [{ token: '' }, 400, 'token'],
      [{ token: 'y'.repeat(4097) }, 400, 'token'],
      [{ store: 'google' }, 400, 'store'],
      [{ store: 'amazon' }, 400, 'store'],
      [{ kind: 'LINK' }, 400, 'kind'],
      [{ app_id: 'app_none' }, 404, 'app_id'],
      [{ app_id: store.appId }, 400, 'store'],
    ];
    for (const [change, status, param] of cases) {
      const answer = await add(id, { ...valid, ...change });
      expect([change, answer.status, answer.body.param]).toEqual([change, status, param]);
    }
    expect((await add('nobody', valid)).status).toBe(404);
  });

  it('lists tokens newest first, by state, app and customer', async () => {
    const id = await customer();
    const own = [await added(id), await added(id, { app_id: google, store: 'google', token: 'opaque' })];
    const list = async (query: string): Promise<string[]> =>
      (await store.backend.get(path(`?limit=100&${query}`))).body.items.map((item: Json) => item.id);
    const [first, second] = own.map((token) => token.id as string);
    expect(await list(`customer_id=${id}`)).toEqual([second, first]);
    expect(await list(`customer_id=${id}&app_id=${google}`)).toEqual([second]);
    expect(await list(`customer_id=${id}&app_id=${apple}&state=open`)).toEqual([first]);
    expect(await list(`customer_id=${id}&state=used`)).toEqual([]);
    expect(await list('customer_id=nobody')).toEqual([]);
    const all = await walkList(store.backend, path(), 2);
    expect(all.length).toBeGreaterThan(3);
    expect(new Set(all.map((token) => token.id)).size).toBe(all.length);
    const byKey = await store.backend.get(path(`?customer_id=${id}&starting_after=${second}`));
    expect(byKey.body.items.map((token: Json) => token.id)).toEqual([first]);
    const bad = await store.backend.get(path('?state=lost'));
    expect([bad.status, bad.body.param]).toEqual([400, 'state']);
  });

  it('answers 404 for tokens and customers of another project', async () => {
    const { id: tokenId } = await added(await customer());
    const other = await otherShop(store);
    expect((await other.backend.get(`${other.path}/external_purchase_tokens/${tokenId}`)).status).toBe(404);
    expect((await other.backend.get(path(`/${tokenId}`))).status).toBe(404);
    expect((await other.backend.get(`${other.path}/external_purchase_tokens`)).body.items).toEqual([]);
    expect((await store.backend.get(path('/ept0'))).status).toBe(404);
  });

  it('requires the permission for purchases', async () => {
    const id = await customer();
    const { id: tokenId } = await added(id);
    const body = { app_id: google, store: 'google', token: 'opaque' };
    const keyWith = async (permission: string): Promise<ApiClient> =>
      (await createSecretKey(store.session, store.projectId, [permission])).client;
    const reader = await keyWith('customer_information:purchases:read');
    const stranger = await keyWith('customer_information:customers:read_write');
    expect((await reader.get(path(`/${tokenId}`))).status).toBe(200);
    expect((await reader.get(path())).status).toBe(200);
    expect((await add(id, body, reader)).status).toBe(403);
    for (const refused of [await stranger.get(path()), await stranger.get(path(`/${tokenId}`))]) {
      expect(refused.status).toBe(403);
    }
    expect((await add(id, body, stranger)).status).toBe(403);
  });
});
