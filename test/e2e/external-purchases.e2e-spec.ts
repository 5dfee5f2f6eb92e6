import { Registry } from 'prom-client';
import { type AppStoreWorld, APPLE_ID, BUNDLE_ID, startAppStoreWorld } from '../support/arrange-app-store.js';
import type { Answer, Json } from '../support/api-client.js';

describe('tokens of purchases outside the App Store', () => {
  let world: AppStoreWorld;
  let count = 0;

  const newAppUserId = (): string => `user-${++count}`;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(() => world.close());

  const ID = /^ept[0-9a-f]{32}$/;
  let tokens = 0;
  const tokenOf = (more: object = {}): string => {
    const content = {
      appAppleId: APPLE_ID,
      bundleId: BUNDLE_ID,
      tokenCreationDate: world.clock.nowMs(),
      externalPurchaseId: `5f4b-${++tokens}`,
      ...more,
    };
    return Buffer.from(JSON.stringify(content)).toString('base64url');
  };
  const send = (body: object): Promise<Answer> => world.sdk.post('/v1/external_purchase_tokens', body);
  const stored = async (id: unknown): Promise<Json> => {
    const [row] = await world.server.dataSource.query<Json[]>(
      `SELECT t.*, a.app_user_id FROM external_purchase_tokens t
       LEFT JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
       WHERE t.project_id = $1 AND t.id = $2`,
      [world.projectId, id],
    );
    return row ?? {};
  };
  const accepted = async (body: object): Promise<string> => {
    const { status, body: answer } = await send({ app_user_id: newAppUserId(), ...body });
    expect([status, Object.keys(answer)]).toEqual([200, ['id']]);
    return answer.id as string;
  };
  /** Number of tokens that were posted again with another customer or content. */
  const conflicts = async (): Promise<number> => {
    const metric = world.server.app
      .get(Registry)
      .getSingleMetric('tenure_external_purchase_token_conflicts_total');
    const { values } = (await metric?.get()) ?? { values: [] };
    return values.find(({ labels }) => labels.reason === 'posted_twice')?.value ?? 0;
  };
  beforeEach(() => world.clock.advanceMs(60_000));

  it('stores them encrypted under their own id, for a customer who may be new', async () => {
    const user = newAppUserId();
    const token = tokenOf({
      externalPurchaseId: 'SANDBOX_77',
      tokenExpirationDate: world.clock.nowMs() + 5,
    });
    const id = await accepted({ app_user_id: user, purchase_type: 'LINK_OUT', token });
    expect(id).toMatch(ID);
    const row = await stored(id);
    expect(row).toMatchObject({
      app_id: world.appId,
      store: 'apple',
      kind: 'LINK_OUT',
      environment: 'sandbox',
      external_purchase_id: 'SANDBOX_77',
      state: 'open',
      app_user_id: user,
    });
    expect([row.token_created_at, row.token_expires_at].map(Number)).toEqual([
      world.clock.nowMs(),
      world.clock.nowMs() + 5,
    ]);
    expect(JSON.stringify(row)).not.toContain(token);
    const services = await accepted({ purchase_type: 'IN_APP', token: tokenOf({ tokenType: 'SERVICES' }) });
    expect(await stored(services)).toMatchObject({ kind: 'SERVICES', environment: 'production' });
  });

  it('uses the id that the SDK sends; a repeat changes nothing', async () => {
    const id = `ept${'0123456789abcdef'.repeat(2)}`;
    const body = { app_user_id: newAppUserId(), purchase_type: 'LINK_OUT', token: tokenOf(), id };
    expect(await accepted(body)).toBe(id);
    const row = await stored(id);
    world.clock.advanceMs(1000);
    expect(await accepted(body)).toBe(id);
    expect(await stored(id)).toEqual(row);
    for (const odd of ['ept1', `EPT${'a'.repeat(32)}`, 5, {}, null]) {
      const own = await accepted({ token: tokenOf(), id: odd });
      expect([own, own === odd]).toEqual([expect.stringMatching(ID), false]);
    }
  });

  it('returns the stored token for a known id with another customer or token', async () => {
    const id = `ept${'f'.repeat(32)}`;
    const first = { app_user_id: newAppUserId(), token: tokenOf(), id };
    await accepted(first);
    const row = await stored(id);
    const before = await conflicts();
    expect(await accepted({ ...first, app_user_id: newAppUserId() })).toBe(id);
    expect(await accepted({ ...first, token: tokenOf() })).toBe(id);
    expect(await stored(id)).toEqual(row);
    expect((await conflicts()) - before).toBe(2);
    await accepted(first);
    expect((await conflicts()) - before).toBe(2);
  });

  it('accepts a missing one: there is an id, and nothing to report', async () => {
    for (const token of [undefined, null, '']) {
      const id = await accepted({ purchase_type: 'IN_APP', token });
      expect(await stored(id)).toMatchObject({
        kind: 'IN_APP',
        external_purchase_id: null,
        sealed_token: null,
        state: 'open',
      });
    }
    expect((await stored(await accepted({ purchase_type: 'NEW_TYPE' }))).kind).toBeNull();
  });

  it('returns the first id if posted again without one', async () => {
    const token = tokenOf();
    const body = { app_user_id: newAppUserId(), token };
    const ids = await Promise.all(Array.from({ length: 5 }, () => accepted(body)));
    expect(new Set(ids).size).toBe(1);
    expect(await accepted({ ...body, id: `ept${'a'.repeat(32)}` })).toBe(ids[0]);
  });

  it('stores unreadable tokens as such, at most the first 8 KB', async () => {
    const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unreadable: unknown[] = ['x', json(5), json([]), json({}), json({ externalPurchaseId: 7 })];
    unreadable.push(5, { a: 1 }, 'y'.repeat(9_000), tokenOf({ more: 'z'.repeat(9_000) }));
    for (const token of unreadable) {
      const row = await stored(await accepted({ token }));
      expect([row.state, row.external_purchase_id, row.sealed_token !== null]).toEqual([
        'unreadable',
        null,
        true,
      ]);
      expect(String(row.sealed_token).length).toBeLessThan(12_000);
    }
  });

  it('stores tokens of another app as such, outside this app', async () => {
    for (const other of [{ bundleId: 'com.example.other' }, { appAppleId: 1 }, { bundleId: undefined }]) {
      const externalPurchaseId = `shared-${++tokens}`;
      const foreign = await accepted({ token: tokenOf({ externalPurchaseId, ...other }) });
      expect(await stored(foreign)).toMatchObject({ state: 'foreign', external_purchase_id: null });
      const own = await accepted({ token: tokenOf({ externalPurchaseId }) });
      expect(await stored(own)).toMatchObject({ state: 'open', external_purchase_id: externalPurchaseId });
    }
  });

  it('limits them to 30 a minute from one address, and to 200 a day for one customer', async () => {
    const user = newAppUserId();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push((await send({ app_user_id: user })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    const refused = await send({ app_user_id: newAppUserId() });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    const more: number[] = [];
    for (let n = 30; n <= 200; n++) {
      if (n % 25 === 0 || n === 30) world.clock.advanceMs(60_000);
      more.push((await send({ app_user_id: user })).status);
    }
    expect(more).toEqual([...Array<number>(170).fill(200), 429]);
    world.clock.advanceMs(86_400_000);
    expect((await send({ app_user_id: user })).status).toBe(200);
  });

  it.each([[undefined], [null], [''], [5], ['a/b'], ['x'.repeat(101)]])(
    'refuses a token without a customer (%j)',
    async (appUserId) => {
      const { status, body } = await send({ app_user_id: appUserId, token: tokenOf() });
      expect([status, body.code]).toEqual([400, 7220]);
    },
  );

  it('follows a customer who is merged, and stays without a name when the customer is deleted', async () => {
    const anonymous = `$RCAnonymousID:${'b'.repeat(32)}`;
    const user = newAppUserId();
    const id = await accepted({ app_user_id: anonymous, token: tokenOf() });
    await world.sdk.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: user });
    const merged = await world.sdk.get(`/v1/subscribers/${user}`);
    expect(merged.status).toBe(200);
    const { customer_id: owner } = await stored(id);
    const customer = await world.backend.get(`${world.path}/customers/${user}`);
    expect(customer.status).toBe(200);
    const [{ id: customerId }] = await world.server.dataSource.query(
      'SELECT customer_id AS id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2',
      [world.projectId, user],
    );
    expect(owner).toBe(customerId);
    expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
    expect(await stored(id)).toMatchObject({ customer_id: null, state: 'open' });
  });
});
