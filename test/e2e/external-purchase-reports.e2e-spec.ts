import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { ManualClock } from '../../libs/kernel/index.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { ExternalReportsJob } from '../../src/stores/app-store/external-reports.job.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { FakeAppStore } from '../support/fake-app-store/fake-app-store.js';
import { FakeServerApi, serverError, unauthorized } from '../support/fake-app-store/fake-server-api.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription } from '../support/fake-stripe/fake-stripe-subscription.js';
import { TEST_START_MS } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const bundleId = 'com.example.app';
const price = { ...fakePrices.monthly, currency: 'eur' };

let count = 0;
const newAppUserId = (): string => `reported-${++count}`;

describe('reports of outside purchases to Apple', () => {
  let world: StripeWorld;
  let api: FakeServerApi;
  let store: FakeAppStore;
  let appId: string;
  /** Has no permission for purchases. */
  let stranger: ApiClient;

  const path = (suffix = ''): string => `${world.path}/external_purchase_reports${suffix}`;
  const configure = async (fields: object): Promise<void> => {
    const { status } = await world.backend.post(`${world.path}/apps/${appId}`, { app_store: fields });
    expect(status).toBe(200);
  };
  const enable = (more: object = {}): Promise<void> =>
    configure({ external_purchase_reports: { enabled: true, ...more } });
  /** Ten minutes pass. */
  const poll = async (): Promise<void> => {
    await world.server.app.get(ExternalReportsJob).schedule();
    world.clock.advanceMs(10 * MINUTE_MS);
    await world.server.app.get(StoreTasksService).drain();
  };
  /** Turns reporting on, and sends what is due. */
  const send = async (): Promise<void> => {
    await enable();
    await poll();
  };
  const token = async (user: string, more: object = {}): Promise<string> => {
    world.clock.advanceMs(1_000);
    await world.sdk.get(`/v1/subscribers/${user}`);
    const content = {
      appAppleId: 6443000000,
      bundleId,
      tokenCreationDate: world.clock.nowMs(),
      externalPurchaseId: `purchase-${++count}`,
      ...more,
    };
    const text = Buffer.from(JSON.stringify(content)).toString('base64url');
    const body = { app_id: appId, store: 'apple', token: text };
    return (await world.backend.post(`${world.path}/customers/${user}/external_purchase_tokens`, body)).body
      .id;
  };
  /** A subscription in Spain for EUR 12.10 with 21 % of tax, bound to a token. */
  const subscribe = async (
    user: string,
    tokenId: string,
    start: object = { lines: [{ of: 'item', price, amount: 1_000, tax: 210, to: 30 }] },
  ): Promise<FakeStripeSubscription> => {
    const life = world.stripe.subscribe(price, start);
    life.object.metadata = { external_purchase_token_id: tokenId };
    for (const invoice of life.invoices) invoice.customer_address = { country: 'ES' };
    expect((await world.post(user, life.id)).status).toBe(200);
    return life;
  };
  const reportsOf = async (life: { id: string }): Promise<Json[]> => {
    const all = await walkList(world.backend, path(), 50);
    return all.filter((one) => one.store_purchase_identifier === life.id).reverse();
  };
  const statesOf = async (life: { id: string }): Promise<string[]> =>
    (await reportsOf(life)).map(({ event, state }) => `${event} ${state}`);
  const accepted = (environment: 'Production' | 'Sandbox' = 'Production'): Json[] =>
    api.externalReports[environment].reports;

  beforeAll(async () => {
    const clock = new ManualClock(TEST_START_MS);
    store = new FakeAppStore(clock, bundleId, 6443000000);
    api = new FakeServerApi(store);
    await api.start();
    const roots = mkdtempSync(join(tmpdir(), 'roots-'));
    writeFileSync(join(roots, 'fake-root.der'), store.chain.root.der);
    world = await startStripeWorld({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
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
    const permissions = ['customer_information:customers:read'];
    stranger = (await createSecretKey(world.session, world.projectId, permissions)).client;
    const body = { name: 'iOS', type: 'app_store', app_store: own };
    appId = (await world.backend.post(`${world.path}/apps`, body)).body.id;
  });
  beforeEach(async () => {
    api.interfere = () => undefined;
    await enable({ enabled: false });
  });
  afterAll(async () => {
    await world.close();
    await api.close();
  });

  it('reports the start of a subscription with amounts, tax and country', async () => {
    const user = newAppUserId();
    const tokenId = await token(user);
    const life = await subscribe(user, tokenId);
    const [report] = await reportsOf(life);
    expect(report).toMatchObject({
      object: 'external_purchase_report',
      token_id: tokenId,
      app_id: appId,
      store: 'apple',
      environment: 'production',
      event: 'start',
      state: 'due',
      reason: null,
      sent_at: null,
      lines: [{ event: 'start', amount: 12.1, tax: 2.1, currency: 'EUR', tax_country: 'ES' }],
    });
    await send();
    const sent = (await world.backend.get(path(`/${report?.id}`))).body;
    expect([sent.state, sent.sent_at > 0, sent.store_answer]).toEqual(['sent', true, null]);
    expect(accepted().at(-1)).toEqual(sent.body);
    expect(sent.body).toMatchObject({
      status: 'LINE_ITEM',
      lineItems: [
        {
          lineItemId: report?.id,
          subscriptionEvent: 'SUBSCRIPTION_START',
          amountTaxInclusive: 12_100,
          amountTaxExclusive: 10_000,
          taxAmount: 2_100,
          netAmountTaxExclusive: 10_000,
          taxCountry: 'ESP',
          pricingCurrency: 'EUR',
          reportingCurrency: 'EUR',
          subscriptionDaysOfPaidService: 0,
        },
      ],
    });
  });

  it('sends a report as soon as it is recorded', async () => {
    await enable();
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await world.server.app.get(StoreTasksService).drain();
    expect(await statesOf(life)).toEqual(['start sent']);
  });

  it('reports a refund with the charge as its reference, each ledger row once', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await send();
    const charge = life.latest.charge;
    if (!charge) throw new Error('nothing was paid');
    await world.notify(world.stripe.refund(charge, 605));
    await world.post(user, life.id);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
    const [start] = await reportsOf(life);
    expect(accepted().at(-1)?.lineItems).toEqual([
      expect.objectContaining({
        eventType: 'REFUND',
        referenceLineItemId: start?.id,
        amountTaxInclusive: 6_050,
        amountTaxExclusive: 5_000,
        taxAmount: 1_050,
        netAmountTaxExclusive: 5_000,
      }),
    ]);
  });

  it('sends nothing while reporting is off, and everything once it is on', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    const before = accepted().length;
    await poll();
    expect([accepted().length - before, await statesOf(life)]).toEqual([0, ['start due']]);
    await send();
    expect([accepted().length - before, await statesOf(life)]).toEqual([1, ['start sent']]);
  });

  it('reports past charges once a purchase is bound', async () => {
    const user = newAppUserId();
    const tokenId = await token(user);
    const life = world.stripe.subscribe(price, {
      lines: [{ of: 'item', price, amount: 1_000, tax: 210, to: 30 }],
    });
    for (const invoice of life.invoices) invoice.customer_address = { country: 'ES' };
    await world.post(user, life.id);
    expect(await reportsOf(life)).toEqual([]);
    const body = { subscription_id: (await world.subscription(user)).id };
    expect(
      (await world.backend.post(`${world.path}/external_purchase_tokens/${tokenId}/actions/bind`, body))
        .status,
    ).toBe(200);
    await send();
    expect(await statesOf(life)).toEqual(['start sent']);
  });

  it('waits with a report whose tax is unknown', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user), {});
    await send();
    const [report] = await reportsOf(life);
    expect(report).toMatchObject({ state: 'needs_tax', reason: expect.stringContaining('tax') });
    expect((await world.backend.get(path(`/${report?.id}`))).body.body).toBeNull();
  });

  describe('with tax rates of the project', () => {
    const setRates = async (rates: object): Promise<void> => {
      const answer = await world.backend.post(world.path, { outside_purchase_tax_rates: rates });
      expect([answer.status, answer.body.outside_purchase_tax_rates]).toEqual([200, rates]);
    };
    afterEach(() => setRates({}));

    it('estimates the tax by the rate of the country', async () => {
      await setRates({ ES: 2_100 });
      const user = newAppUserId();
      const lines = [{ of: 'item', price, amount: 1_210, to: 30 }];
      const life = await subscribe(user, await token(user), { lines });
      expect((await reportsOf(life))[0]).toMatchObject({ state: 'due', lines: [{ amount: 12.1, tax: 2.1 }] });
    });

    it('restates an estimate once the invoice names the tax', async () => {
      await setRates({ ES: 2_100 });
      const user = newAppUserId();
      const lines = [{ of: 'item', price, amount: 1_210, to: 30 }];
      const life = await subscribe(user, await token(user), { lines });
      await send();
      const [line] = life.latest.lines;
      if (line) line.taxes = [{ amount: 200, tax_behavior: 'inclusive' }];
      world.clock.advanceMs(MINUTE_MS);
      await world.post(user, life.id);
      await world.post(user, life.id);
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'restatement sent']);
      expect(accepted().at(-1)?.lineItems).toEqual([
        expect.objectContaining({ restatement: true, amountTaxInclusive: 12_100, taxAmount: 2_000 }),
      ]);
    });

    it('completes waiting reports once a rate is set', async () => {
      const user = newAppUserId();
      const lines = [{ of: 'item', price, amount: 1_210, to: 30 }];
      const life = await subscribe(user, await token(user), { lines });
      await send();
      expect(await statesOf(life)).toEqual(['start needs_tax']);
      await setRates({ DE: 1_900 });
      await send();
      expect(await statesOf(life)).toEqual(['start needs_tax']);
      await setRates({ ES: 2_100 });
      await send();
      expect(await statesOf(life)).toEqual(['start sent']);
      expect(accepted().at(-1)?.lineItems[0]).toMatchObject({ taxAmount: 2_100, amountTaxExclusive: 10_000 });
    });
  });

  describe('that are restated', () => {
    const restate = (id: string, body: object): Promise<Answer> => {
      world.clock.advanceMs(1);
      return world.backend.post(path(`/${id}/actions/restate`), body);
    };

    it('completes a report whose tax was unknown', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user), {});
      const [report] = await reportsOf(life);
      const { status, body } = await restate(report?.id, { tax: 1 });
      expect([status, body.id, body.state, body.lines[0].tax]).toEqual([200, report?.id, 'due', 1]);
      const [log] = (await world.backend.get(`${world.path}/audit_logs?limit=1`)).body.items;
      expect(log.action_type).toBe('external_purchase_report_restated');
      await send();
      expect(await statesOf(life)).toEqual(['start sent']);
    });

    it('corrects a report that Apple has accepted with another one', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      await send();
      const [report] = await reportsOf(life);
      const { status, body } = await restate(report?.id, { tax: 2.2 });
      expect([status, body.event, body.id === report?.id]).toEqual([200, 'restatement', false]);
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'restatement sent']);
      expect(accepted().at(-1)?.lineItems).toEqual([
        expect.objectContaining({
          lineItemId: report?.id,
          restatement: true,
          amountTaxInclusive: 12_100,
          amountTaxExclusive: 9_900,
          taxAmount: 2_200,
          netAmountTaxExclusive: 9_900,
        }),
      ]);
      expect((await restate(report?.id, { tax: 2.2 })).status).toBe(409);
      expect((await restate(report?.id, { tax: 2.3 })).status).toBe(200);
    });

    it('rejects input that changes nothing or does not fit, naming the field', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      const [report] = await reportsOf(life);
      for (const [body, param] of [
        [{}, 'tax'],
        [{ amount: 1, tax: 2 }, 'tax'],
        [{ tax: -1 }, 'tax'],
        [{ tax_country: 'ESP' }, 'tax_country'],
        [{ amount: 'x' }, 'amount'],
      ] as const) {
        const answer = await restate(report?.id, body);
        expect([body, answer.status, answer.body.param]).toEqual([body, 400, param]);
      }
      expect((await restate('oprt0', { tax: 1 })).status).toBe(404);
    });
  });

  it('sends reports of sandbox purchases to the sandbox, and none with a token of production', async () => {
    const user = newAppUserId();
    const lines = [{ of: 'item', price, amount: 1_000, tax: 210, to: 30 }];
    const sandbox = await token(user, { externalPurchaseId: `SANDBOX_${++count}` });
    const life = await subscribe(user, sandbox, { livemode: false, lines });
    const mixed = await subscribe(user, await token(user), { livemode: false, lines });
    await send();
    expect(await statesOf(life)).toEqual(['start sent']);
    expect(accepted('Sandbox').at(-1)?.externalPurchaseId).toMatch(/^SANDBOX_/);
    expect(await reportsOf(mixed)).toEqual([]);
  });

  it('sends a report again after an outage, with the same identifiers', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    const bodies: unknown[] = [];
    api.interfere = ({ path: to, body }) => {
      if (!to.startsWith('/externalPurchase/')) return undefined;
      bodies.push(body);
      return bodies.length <= 2 ? serverError : undefined;
    };
    for (let attempt = 0; attempt < 4; attempt++) await send();
    expect(await statesOf(life)).toEqual(['start sent']);
    expect(bodies).toHaveLength(3);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('recognizes a report that Apple had accepted before the answer was lost', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    const before = accepted().length;
    api.interfere = (call) => {
      if (call.method !== 'PUT') return undefined;
      api.interfere = () => undefined;
      api.externalReports.Production.answer(call);
      return { status: 200, instead: 'reset' };
    };
    await send();
    expect(await statesOf(life)).toEqual(['start due']);
    await send();
    expect([await statesOf(life), accepted().length - before]).toEqual([['start sent'], 1]);
  });

  it('shows a refusal, counts it, and keeps later reports of the purchase waiting', async () => {
    const counted = async (): Promise<number> => {
      const metric = world.server.app.get(Registry).getSingleMetric('tenure_external_purchase_reports_total');
      const { values } = (await metric?.get()) ?? { values: [] };
      return values.find(({ labels }) => labels.result === 'refused')?.value ?? 0;
    };
    const before = await counted();
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    api.interfere = ({ method }) =>
      method === 'PUT'
        ? { status: 400, body: { errorCode: 4000105, errorMessage: 'Line 1: taxCountry is wrong.' } }
        : undefined;
    await send();
    api.interfere = () => undefined;
    const { charge } = life.latest;
    if (charge) await world.notify(world.stripe.refund(charge));
    await send();
    const [refused, waiting] = await reportsOf(life);
    expect(refused).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('taxCountry is wrong'),
    });
    expect(waiting?.state).toBe('due');
    expect((await counted()) - before).toBe(1);
    const list = await world.backend.get(path('?state=refused'));
    expect(list.body.items.map(({ id }: Json) => id)).toContain(refused?.id);
    const health = async (): Promise<Json> => {
      const { apps } = (await world.backend.get(`${world.path}/setup_health`)).body;
      return apps.find((app: Json) => app.id === appId).refused_external_report;
    };
    expect(await health()).toMatchObject({ message: expect.stringContaining('taxCountry is wrong') });
    const again = (id: string): Promise<Answer> => world.backend.post(path(`/${id}/actions/send_again`));
    expect((await again(waiting?.id)).status).toBe(409);
    expect((await again('oprt0')).status).toBe(404);
    world.clock.advanceMs(1);
    const { status, body } = await again(refused?.id);
    expect([status, body.state, body.store_answer]).toEqual([200, 'due', null]);
    const [log] = (await world.backend.get(`${world.path}/audit_logs?limit=1`)).body.items;
    expect(log.action_type).toBe('external_purchase_report_sent_again');
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
    expect(await health()).toBeNull();
  });

  it('shows credentials that Apple refuses in the setup health, and sends later', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    api.interfere = ({ path: to }) => (to.startsWith('/externalPurchase/') ? unauthorized : undefined);
    await send();
    const { apps } = (await world.backend.get(`${world.path}/setup_health`)).body;
    const health = apps.find((app: Json) => app.app_id === appId || app.id === appId);
    expect(JSON.stringify(health)).toContain('in-app purchase key');
    api.interfere = () => undefined;
    for (let attempt = 0; attempt < 3; attempt++) await send();
    expect(await statesOf(life)).toEqual(['start sent']);
  });

  describe('compared with the ledger by month', () => {
    let aside: number;
    const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7);
    /** The sums of a month in euros. */
    const sums = async (month: string): Promise<Json> => {
      const { status, body } = await world.backend.get(path('/months'));
      expect([status, body.object, body.next_page, body.url]).toEqual([200, 'list', null, path('/months')]);
      return (
        body.items.find((row: Json) => row.month === month && row.currency === 'EUR') ?? {
          reported: 0,
          in_ledger: 0,
          difference: 0,
        }
      );
    };
    /** How the sums of a month change while `work` runs: reported, in the ledger, difference. */
    const change = async (month: string, work: () => Promise<unknown>): Promise<number[]> => {
      const before = await sums(month);
      await work();
      const after = await sums(month);
      return ['reported', 'in_ledger', 'difference'].map(
        (name) => Math.round((after[name] - before[name]) * 100) / 100,
      );
    };

    beforeEach(async () => {
      // Reports of the tests before that still wait.
      await send();
      await enable({ enabled: false });
      aside = world.clock.nowMs();
    });

    it('counts a charge as reported once its store has accepted it, and restated taxes not at all', async () => {
      const month = monthOf(aside);
      const user = newAppUserId();
      const tokenId = await token(user);
      let life: FakeStripeSubscription | undefined;
      const buy = async (): Promise<unknown> => (life = await subscribe(user, tokenId));
      expect(await change(month, buy)).toEqual([0, 12.1, 12.1]);
      expect(await change(month, send)).toEqual([12.1, 0, -12.1]);
      const [report] = life ? await reportsOf(life) : [];
      world.clock.advanceMs(1);
      await world.backend.post(path(`/${report?.id}/actions/restate`), { tax: 2.2 });
      expect(await change(month, send)).toEqual([0, 0, 0]);
      expect(await sums(month)).toMatchObject({
        object: 'external_purchase_month',
        month,
        store: 'apple',
        currency: 'EUR',
      });
    });

    it('subtracts refunds in the month of the refund', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      await send();
      const charge = life.latest.charge;
      if (!charge) throw new Error('nothing was paid');
      const refund = async (): Promise<void> => {
        world.clock.advanceMs(40 * DAY_MS);
        await world.notify(world.stripe.refund(charge, 605));
        await world.post(user, life.id);
        await send();
      };
      const month = monthOf(world.clock.nowMs() + 40 * DAY_MS);
      expect(await change(month, refund)).toEqual([-6.05, -6.05, 0]);
    });

    it('leaves out sandbox purchases, purchases without a token and those of deleted customers', async () => {
      const month = monthOf(aside);
      const lines = [{ of: 'item', price, amount: 1_000, tax: 210, to: 30 }];
      const other = async (): Promise<void> => {
        const user = newAppUserId();
        await subscribe(user, await token(user, { externalPurchaseId: `SANDBOX_${++count}` }), {
          livemode: false,
          lines,
        });
        await subscribe(newAppUserId(), 'ept0');
        await send();
      };
      expect(await change(month, other)).toEqual([0, 0, 0]);
      const user = newAppUserId();
      await subscribe(user, await token(user));
      await send();
      const erase = (): Promise<Answer> => world.backend.delete(`${world.path}/customers/${user}`);
      expect(await change(month, erase)).toEqual([-12.1, -12.1, 0]);
    });

    it('needs permission to read purchases', async () => {
      expect((await stranger.get(path('/months'))).status).toBe(403);
    });
  });

  it('keeps reports without a name when the customer is deleted', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
    expect(await statesOf(life)).toEqual(['start due']);
    expect(JSON.stringify(await reportsOf(life))).not.toContain(user);
    await send();
    expect(await statesOf(life)).toEqual(['start sent']);
  });

  describe('about tokens without a purchase', () => {
    const stateOf = async (id: string): Promise<string> =>
      (await world.backend.get(`${world.path}/external_purchase_tokens/${id}`)).body.state;
    const statusOf = async (id: string): Promise<string | undefined> => {
      const { external_purchase_id: own } = (
        await world.backend.get(`${world.path}/external_purchase_tokens/${id}`)
      ).body;
      return accepted().find(({ externalPurchaseId }) => externalPurchaseId === own)?.status;
    };

    it('reports them nine days after their creation, once', async () => {
      const id = await token(newAppUserId());
      world.clock.advanceMs(8 * DAY_MS);
      await send();
      expect([await stateOf(id), await statusOf(id)]).toEqual(['open', undefined]);
      world.clock.advanceMs(DAY_MS);
      const before = accepted().length;
      await send();
      await send();
      expect([await stateOf(id), await statusOf(id)]).toEqual(['reported_empty', 'NO_LINE_ITEM']);
      expect(accepted().length - before).toBe(1);
      const [report] = (await world.backend.get(path('?limit=1'))).body.items;
      expect(report).toMatchObject({
        token_id: id,
        event: 'token',
        state: 'sent',
        lines: [],
        store_purchase_identifier: null,
      });
    });

    it('reports them an hour after they expired', async () => {
      const tokenExpirationDate = world.clock.nowMs() + DAY_MS;
      const id = await token(newAppUserId(), { tokenType: 'SERVICES', tokenExpirationDate });
      world.clock.advanceMs(DAY_MS);
      await send();
      expect(await stateOf(id)).toBe('open');
      world.clock.advanceMs(60 * MINUTE_MS);
      await send();
      expect([await stateOf(id), await statusOf(id)]).toEqual(['reported_empty', 'NO_LINE_ITEM']);
    });

    it('reports copies of a used token as duplicates', async () => {
      const user = newAppUserId();
      const dates = { tokenType: 'ACQUISITION', tokenCreationDate: world.clock.nowMs() };
      const [used, copy] = [await token(user, dates), await token(user, dates)];
      await subscribe(user, used);
      world.clock.advanceMs(9 * DAY_MS);
      await send();
      expect([await stateOf(copy), await statusOf(copy)]).toEqual(['duplicate', 'DUPLICATE_TOKEN']);
      expect([await stateOf(used), await statusOf(used)]).toEqual(['used', 'LINE_ITEM']);
    });

    describe('that Apple reminds of', () => {
      const remind = async (externalPurchaseId: unknown, more: object = {}): Promise<number> => {
        const externalPurchaseToken = { externalPurchaseId, bundleId, appAppleId: 6443000000, ...more };
        const { body } = store.notification('EXTERNAL_PURCHASE_TOKEN', 'UNREPORTED', {
          externalPurchaseToken,
        });
        const headers = { 'content-type': 'application/json' };
        const path = `/v1/notifications/apple/${appId}`;
        const { status } = await world.server.http.send('POST', path, body, headers);
        await world.process();
        return status;
      };
      const appleIdOf = async (id: string): Promise<string> =>
        (await world.backend.get(`${world.path}/external_purchase_tokens/${id}`)).body.external_purchase_id;

      it('reports an open token without a purchase at once, however often Apple reminds', async () => {
        const id = await token(newAppUserId());
        const own = await appleIdOf(id);
        expect([await remind(own), await remind(own)]).toEqual([200, 200]);
        expect(await stateOf(id)).toBe('reported_empty');
        await send();
        expect(accepted().filter((one) => one.externalPurchaseId === own)).toHaveLength(1);
        expect(await statusOf(id)).toBe('NO_LINE_ITEM');
      });

      it('reports the purchase of a used token, and nothing else', async () => {
        const user = newAppUserId();
        const id = await token(user);
        await subscribe(user, id);
        await remind(await appleIdOf(id));
        await send();
        expect([await stateOf(id), await statusOf(id)]).toEqual(['used', 'LINE_ITEM']);
      });

      it('reports a copy of a used token as a duplicate', async () => {
        const user = newAppUserId();
        const dates = { tokenType: 'SERVICES', tokenCreationDate: world.clock.nowMs() };
        const [used, copy] = [await token(user, dates), await token(user, dates)];
        await subscribe(user, used);
        await remind(await appleIdOf(copy));
        await send();
        expect([await stateOf(copy), await statusOf(copy)]).toEqual(['duplicate', 'DUPLICATE_TOKEN']);
      });

      it('reports an unknown token as unrecognized, and keeps it when it arrives later', async () => {
        const own = `late-${++count}`;
        await remind(own);
        await remind(own);
        await send();
        expect(accepted().filter((one) => one.externalPurchaseId === own)).toEqual([
          expect.objectContaining({ status: 'UNRECOGNIZED_TOKEN' }),
        ]);
        const { items } = (
          await world.backend.get(`${world.path}/external_purchase_tokens?state=unrecognized`)
        ).body;
        expect(items[0]).toMatchObject({ external_purchase_id: own, customer_id: null });
        const content = { appAppleId: 6443000000, bundleId, externalPurchaseId: own };
        const late = Buffer.from(JSON.stringify(content)).toString('base64url');
        const keys = await world.backend.get(`${world.path}/apps/${appId}/public_api_keys`);
        const sdk = world.server.http.withKey(keys.body.items[0].key).with({ 'x-platform': 'iOS' });
        const body = { app_user_id: newAppUserId(), token: late };
        expect((await sdk.post('/v1/external_purchase_tokens', body)).body.id).toBe(items[0].id);
        expect(await stateOf(items[0].id as string)).toBe('unrecognized');
      });

      it('rejects reminders for another app with 400', async () => {
        expect(await remind('x', { bundleId: 'com.example.other' })).toBe(400);
        expect(await remind('x', { appAppleId: 1 })).toBe(400);
        const { items } = (await world.backend.get(`${world.path}/external_purchase_tokens?limit=100`)).body;
        expect(items.some((one: Json) => one.external_purchase_id === 'x')).toBe(false);
      });
    });

    it('reports none while reporting is off', async () => {
      const id = await token(newAppUserId());
      await enable({ enabled: false });
      world.clock.advanceMs(9 * DAY_MS);
      await poll();
      expect(await stateOf(id)).toBe('open');
    });

    it('reports a purchase that is bound to the token later', async () => {
      const user = newAppUserId();
      const id = await token(user);
      world.clock.advanceMs(9 * DAY_MS);
      await send();
      const life = await subscribe(user, id);
      await send();
      expect([await stateOf(id), await statesOf(life)]).toEqual(['used', ['start sent']]);
    });
  });

  it('downloads the reports of a month as CSV', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    const csv = (query: string, client = world.backend): Promise<Answer> =>
      client.get(`${world.path}/external_purchase_reports.csv?${query}`);
    const month = new Date(world.clock.nowMs()).toISOString().slice(0, 7);
    const answer = await csv(`month=${month}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers['content-disposition']).toContain(`store_reports_${month}.csv`);
    const [header, ...lines] = answer.text.trim().split('\r\n');
    expect(header).toContain('report_id,store,app_id,environment,token_id,subscription_id,event');
    const own = lines.filter((line) => line.includes(`,${life.id},`));
    expect(own).toHaveLength(1);
    expect(own[0]).toContain(',EUR,12.1,10,2.1,10,ES,due,');
    expect((await csv('month=2020-01')).text).toBe(`${header}\r\n`);
    expect((await csv(`month=${month}&store=google`)).text).toBe(`${header}\r\n`);
    for (const query of ['', 'month=2026-13', 'month=november']) {
      expect(await csv(query)).toMatchObject({ status: 400, body: { param: 'month' } });
    }
    expect((await csv(`month=${month}&store=amazon`)).body).toMatchObject({ param: 'store' });
    expect((await csv(`month=${month}`, stranger)).status).toBe(403);
    const other = await signUp(world.server);
    const { client } = await createSecretKey(other.session, other.projectId);
    const otherCsv = await client.get(
      `/v2/projects/${other.projectId}/external_purchase_reports.csv?month=${month}`,
    );
    expect(otherCsv.text).toBe(`${header}\r\n`);
  });

  it('filters by state, app and month, and answers 404 for reports of another project', async () => {
    const all = await walkList(world.backend, path(), 50);
    const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
    const month = monthOf(TEST_START_MS);
    const ofMonth = all.filter((one) => monthOf(one.created_at as number) === month);
    const list = async (query: string): Promise<number> =>
      (await world.backend.get(path(`?limit=100&${query}`))).body.items.length;
    expect(await list(`app_id=${appId}`)).toBe(all.length);
    expect(await list('app_id=none')).toBe(0);
    expect(ofMonth.length).toBeGreaterThan(5);
    expect(await list(`month=${month}`)).toBe(ofMonth.length);
    expect(await list('month=2020-01')).toBe(0);
    const sent = all.filter((one) => one.state === 'sent');
    expect([await list('state=sent'), sent.length > 5]).toEqual([sent.length, true]);
    for (const [query, param] of [
      ['month=2026-13', 'month'],
      ['state=lost', 'state'],
    ]) {
      const { status, body } = await world.backend.get(path(`?${query}`));
      expect([status, body.param]).toEqual([400, param]);
    }
    const other = await signUp(world.server);
    const { client } = await createSecretKey(other.session, other.projectId);
    const otherPath = `/v2/projects/${other.projectId}/external_purchase_reports`;
    expect((await client.get(`${otherPath}/${all[0]?.id}`)).status).toBe(404);
    expect((await client.get(otherPath)).body.items).toEqual([]);
    expect((await stranger.get(path())).status).toBe(403);
    expect((await stranger.get(path(`/${all[0]?.id}`))).status).toBe(403);
    expect((await stranger.post(path(`/${all[0]?.id}/actions/send_again`))).status).toBe(403);
    expect((await stranger.post(path(`/${all[0]?.id}/actions/restate`), { tax: 1 })).status).toBe(403);
    expect((await client.post(`${otherPath}/${all[0]?.id}/actions/restate`, { tax: 1 })).status).toBe(404);
  });
});
