import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { ExternalReportsJob } from '../../src/stores/app-store/external-reports.job.js';
import type { Json } from '../support/api-client.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { FakeAppStore } from '../support/fake-app-store/fake-app-store.js';
import { FakeServerApi } from '../support/fake-app-store/fake-server-api.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription } from '../support/fake-stripe/fake-stripe-subscription.js';
import { TEST_START_MS } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const MINUTE_MS = 60_000;
const bundleId = 'com.example.app';
const price = { ...fakePrices.monthly, currency: 'eur', amount: 1_210 };

let count = 0;
const newAppUserId = (): string => `refused-${++count}`;

interface Token {
  id: string;
  externalPurchaseId: string;
}

describe('tokens of outside purchases that Apple does not know', () => {
  let world: StripeWorld;
  let api: FakeServerApi;
  let appId: string;

  const configure = async (bind: 'id' | 'newest', enabled = true): Promise<void> => {
    const fields = { external_purchase_reports: { enabled, bind } };
    const { status } = await world.backend.post(`${world.path}/apps/${appId}`, { app_store: fields });
    expect(status).toBe(200);
  };
  const send = async (): Promise<void> => {
    await world.server.app.get(ExternalReportsJob).schedule();
    world.clock.advanceMs(10 * MINUTE_MS);
    await world.server.app.get(StoreTasksService).drain();
  };
  const token = async (user: string, atMs = world.clock.nowMs()): Promise<Token> => {
    world.clock.advanceMs(1_000);
    await world.sdk.get(`/v1/subscribers/${user}`);
    const externalPurchaseId = `purchase-${++count}`;
    const content = { appAppleId: 6443000000, bundleId, tokenCreationDate: atMs, externalPurchaseId };
    const text = Buffer.from(JSON.stringify(content)).toString('base64url');
    const body = { app_id: appId, store: 'apple', token: text };
    const answer = await world.backend.post(`${world.path}/customers/${user}/external_purchase_tokens`, body);
    expect(answer.status).toBe(201);
    world.clock.advanceMs(1_000);
    return { id: answer.body.id, externalPurchaseId };
  };
  const unknown = ({ externalPurchaseId }: Token): void => {
    api.externalReports.Production.rules.unknownTokens.add(externalPurchaseId);
  };
  const subscribe = async (user: string, named?: Token): Promise<FakeStripeSubscription> => {
    const life = world.stripe.subscribe(price);
    if (named) life.object.metadata = { external_purchase_token_id: named.id };
    for (const invoice of life.invoices) invoice.customer_address = { country: 'ES' };
    expect((await world.post(user, life.id)).status).toBe(200);
    return life;
  };
  const reportsOf = async (life: { id: string }): Promise<Json[]> => {
    const all = await walkList(world.backend, `${world.path}/external_purchase_reports`, 50);
    return all.filter((one) => one.store_purchase_identifier === life.id).reverse();
  };
  const statesOf = async (life: { id: string }): Promise<string[]> =>
    (await reportsOf(life)).map(({ event, state }) => `${event} ${state}`);
  const stateOf = async ({ id }: Token): Promise<string> =>
    (await world.backend.get(`${world.path}/external_purchase_tokens/${id}`)).body.state;
  const bind = async ({ id }: Token, user: string): Promise<number> => {
    const body = { subscription_id: (await world.subscription(user)).id };
    return (await world.backend.post(`${world.path}/external_purchase_tokens/${id}/actions/bind`, body))
      .status;
  };

  beforeAll(async () => {
    const store = new FakeAppStore(new ManualClock(TEST_START_MS), bundleId, 6443000000);
    api = new FakeServerApi(store);
    await api.start();
    const roots = mkdtempSync(join(tmpdir(), 'roots-'));
    writeFileSync(join(roots, 'fake-root.der'), store.chain.root.der);
    world = await startStripeWorld({
      env: {
        SERVICE_TEST_APPLE_ROOTS: roots,
        SERVICE_APPLE_API_URL: api.urls.Production,
        SERVICE_APPLE_SANDBOX_API_URL: api.urls.Sandbox,
      },
    });
    const own = {
      bundle_id: bundleId,
      app_apple_id: 6443000000,
      subscription_private_key: api.key.privateKeyPem,
      subscription_key_id: api.key.keyId,
      subscription_key_issuer: api.key.issuerId,
    };
    const body = { name: 'iOS', type: 'app_store', app_store: own };
    appId = (await world.backend.post(`${world.path}/apps`, body)).body.id;
    await world.backend.post(world.path, { outside_purchase_tax_rates: { ES: 2_100 } });
  });
  afterAll(async () => {
    await world.close();
    await api.close();
  });

  it('marks the token as refused, and sends the reports once the purchase is bound to another one', async () => {
    await configure('id', false);
    const user = newAppUserId();
    const [wrong, right] = [await token(user), await token(user)];
    unknown(wrong);
    const life = await subscribe(user, wrong);
    expect(await bind(right, user)).toBe(409);
    await configure('id');
    await send();
    expect([await stateOf(wrong), await statesOf(life)]).toEqual(['refused', ['start refused']]);
    await world.notify(life.refund(605));
    const before = await reportsOf(life);
    expect(await bind(right, user)).toBe(200);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
    const after = await reportsOf(life);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ token_id: id }) => id)).toEqual([right.id, right.id]);
    expect(await stateOf(right)).toBe('used');
    const { reports } = api.externalReports.Production;
    expect(reports.at(-1)?.externalPurchaseId).toBe(right.externalPurchaseId);
    expect(await bind(await token(user), user)).toBe(409);
  });

  it('keeps a token that Apple refuses for another reason', async () => {
    await configure('id', false);
    const user = newAppUserId();
    const own = await token(user);
    const life = await subscribe(user, own);
    await configure('id');
    api.interfere = ({ method }) =>
      method === 'PUT'
        ? { status: 400, body: { errorCode: 4000105, errorMessage: 'taxCountry is wrong.' } }
        : undefined;
    await send();
    api.interfere = () => undefined;
    expect([await stateOf(own), await statesOf(life)]).toEqual(['used', ['start refused']]);
  });

  it('tries the next open token of the customer if the app binds to the newest', async () => {
    await configure('newest');
    const user = newAppUserId();
    const wrong = await token(user);
    unknown(wrong);
    const life = await subscribe(user);
    const boughtAtMs = world.clock.nowMs();
    await send();
    expect([await stateOf(wrong), await statesOf(life)]).toEqual(['refused', ['start refused']]);
    await world.post(user, life.id);
    expect(await statesOf(life)).toEqual(['start refused']);
    // Apple issued it before the purchase, but it arrived later.
    const late = await token(user, boughtAtMs - 2_000);
    await world.post(user, life.id);
    await send();
    expect([await stateOf(late), await statesOf(life)]).toEqual(['used', ['start sent']]);
    expect((await reportsOf(life))[0]?.token_id).toBe(late.id);
  });
});
