import { jest } from '@jest/globals';
import { ManualClock } from '../../libs/kernel/index.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { ExternalPurchaseReportsService } from '../../src/purchases/external-reports/external-purchase-reports.service.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { ExternalTransactionsJob } from '../../src/stores/play-store/external-transactions.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { FakePlay } from '../support/fake-play/fake-play.js';
import { FakePlayServer } from '../support/fake-play/fake-play-server.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription, StripeStart } from '../support/fake-stripe/fake-stripe-subscription.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** EUR 12.10 with 21 % in Spain. */
const price = { ...fakePrices.monthly, currency: 'eur', amount: 1_210 };
const plus = { ...fakePrices.plus, currency: 'eur', amount: 2_420 };
const eur = (priceMicros: string) => ({ priceMicros, currency: 'EUR' });
const externalSubscription = { subscriptionType: 'RECURRING' };

let count = 0;
const newAppUserId = (): string => `reported-${++count}`;

interface Token {
  id: string;
  secret: string;
}

describe('reports of outside purchases to Google Play', () => {
  let world: StripeWorld;
  let google: FakePlayServer;
  let appId: string;
  let env: NodeJS.ProcessEnv;
  const logged: string[] = [];

  const path = (suffix = ''): string => `${world.path}/external_purchase_reports${suffix}`;
  const configure = async (fields: object): Promise<void> => {
    const { status } = await world.backend.post(`${world.path}/apps/${appId}`, { play_store: fields });
    expect(status).toBe(200);
  };
  const enable = (more: object = {}): Promise<void> =>
    configure({ external_transaction_reports: { enabled: true, ...more } });
  const drain = (server: TestServer = world.server): Promise<void> =>
    server.app.get(StoreTasksService).drain();
  /** Turns reporting on, and sends what is due after ten minutes. */
  const send = async (more: object = {}): Promise<void> => {
    await enable(more);
    await world.server.app.get(ExternalTransactionsJob).schedule();
    world.clock.advanceMs(10 * MINUTE_MS);
    await drain();
  };
  const token = async (user: string): Promise<Token> => {
    world.clock.advanceMs(1_000);
    await world.sdk.get(`/v1/subscribers/${user}`);
    const secret = `secret-${++count}`;
    const body = { app_id: appId, store: 'google', token: secret };
    const answer = await world.backend.post(`${world.path}/customers/${user}/external_purchase_tokens`, body);
    expect(answer.status).toBe(201);
    world.clock.advanceMs(1_000);
    return { id: answer.body.id, secret };
  };
  const tokenOf = async (id: string): Promise<Json> =>
    (await world.backend.get(`${world.path}/external_purchase_tokens/${id}`)).body;
  const inSpain = (life: FakeStripeSubscription): void => {
    for (const invoice of life.invoices) invoice.customer_address = { country: 'ES' };
  };
  const subscribe = async (
    user: string,
    { id }: Token,
    start: StripeStart = {},
    of = price,
  ): Promise<FakeStripeSubscription> => {
    const life = world.stripe.subscribe(of, start);
    life.object.metadata = { external_purchase_token_id: id };
    inSpain(life);
    expect((await world.post(user, life.id)).status).toBe(200);
    return life;
  };
  /** The next charge of a subscription, 31 days later. */
  const renew = async (life: FakeStripeSubscription): Promise<void> => {
    world.clock.advanceMs(31 * DAY_MS);
    const event = life.renew();
    inSpain(life);
    await world.notify(event);
  };
  const reportsOf = async (purchase: string): Promise<Json[]> => {
    const all = await walkList(world.backend, path(), 50);
    const own = all.filter((one) => one.store_purchase_identifier === purchase).reverse();
    // Reports of one transaction are created in the same millisecond.
    return own.sort((a, b) => a.created_at - b.created_at || a.lines[0].at - b.lines[0].at);
  };
  const statesOf = async (life: { id: string }): Promise<string[]> =>
    (await reportsOf(life.id)).map(({ event, state }) => `${event} ${state}`);
  /** What Google knows about the reports of a purchase, oldest first. */
  const knownOf = async (life: { id: string }): Promise<unknown[]> =>
    (await reportsOf(life.id)).map(({ id }) => google.external.transactions.get(id as string));
  const bind = ({ id }: Token, subscriptionId: string): Promise<Answer> =>
    world.backend.post(`${world.path}/external_purchase_tokens/${id}/actions/bind`, {
      subscription_id: subscriptionId,
    });
  const health = async (): Promise<Json> => {
    const { apps } = (await world.backend.get(`${world.path}/setup_health`)).body;
    return apps.find((app: Json) => app.id === appId);
  };

  const addApp = async (): Promise<string> => {
    const own = {
      package_name: 'com.example.app',
      play_service_account_credentials_json: google.serviceAccount,
    };
    const body = { name: 'Android', type: 'play_store', play_store: own };
    return (await world.backend.post(`${world.path}/apps`, body)).body.id;
  };

  beforeAll(async () => {
    const clock = new ManualClock(TEST_START_MS);
    const play = new FakePlay(clock, 'com.example.app');
    google = new FakePlayServer(play);
    await google.start();
    env = {
      SERVICE_PLAY_API_URL: google.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
      SERVICE_GOOGLE_CERTS_URL: `${google.url}/certs`,
    };
    world = await startStripeWorld({ env, logTo: (line) => logged.push(line) });
    // One clock for both stores.
    Object.assign(play, { clock: world.clock });
    appId = await addApp();
    await world.backend.post(world.path, { outside_purchase_tax_rates: { ES: 2_100, IN: 1_800, JP: 1_000 } });
  });
  beforeEach(async () => {
    google.interfere = () => undefined;
    await configure({ external_transaction_reports: { enabled: false } });
  });
  afterAll(async () => {
    await world.close();
    await google.close();
  });

  it('reports the first charge as the initial transaction, with amounts, tax, country and token', async () => {
    const user = newAppUserId();
    const first = await token(user);
    const life = await subscribe(user, first);
    const [report] = await reportsOf(life.id);
    expect(report).toMatchObject({
      token_id: first.id,
      app_id: appId,
      store: 'google',
      environment: 'production',
      event: 'start',
      state: 'due',
    });
    const details = (await world.backend.get(path(`/${report?.id}`))).body;
    expect(JSON.stringify(details)).not.toContain(first.secret);
    await send({ link_type: 'LINK_TO_DIGITAL_CONTENT_OFFER' });
    expect(await statesOf(life)).toEqual(['start sent']);
    expect(await knownOf(life)).toEqual([
      expect.objectContaining({
        originalPreTaxAmount: eur('10000000'),
        originalTaxAmount: eur('2100000'),
        userTaxAddress: { regionCode: 'ES' },
        recurringTransaction: { externalTransactionToken: first.secret, externalSubscription },
      }),
    ]);
    expect((await tokenOf(first.id)).state).toBe('used');
  });

  it('names the type of the link that the app is set to', async () => {
    await enable({ link_type: 'LINK_TO_DIGITAL_CONTENT_OFFER' });
    const settings = (await world.backend.get(`${world.path}/apps/${appId}/store_settings`)).body;
    expect(settings.external_transaction_reports).toEqual({
      enabled: true,
      bind: 'id',
      link_type: 'LINK_TO_DIGITAL_CONTENT_OFFER',
    });
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await send({ link_type: 'LINK_TO_DIGITAL_CONTENT_OFFER' });
    expect(await knownOf(life)).toEqual([
      expect.objectContaining({ externalOfferDetails: { linkType: 'LINK_TO_DIGITAL_CONTENT_OFFER' } }),
    ]);
    const wrong = { play_store: { external_transaction_reports: { link_type: 'no type' } } };
    expect((await world.backend.post(`${world.path}/apps/${appId}`, wrong)).status).toBe(400);
  });

  it('reports a free trial with zeros, and the first paid period after it as a recurrence', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user), { trialDays: 7 });
    world.clock.advanceMs(7 * DAY_MS);
    await renew(life);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'renewal sent']);
    const [start] = await reportsOf(life.id);
    expect(await knownOf(life)).toEqual([
      expect.objectContaining({ originalPreTaxAmount: eur('0'), originalTaxAmount: eur('0') }),
      expect.objectContaining({
        originalPreTaxAmount: eur('10000000'),
        recurringTransaction: { initialExternalTransactionId: start?.id, externalSubscription },
      }),
    ]);
  });

  it('reports renewals with new ids and the initial one, in order', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await renew(life);
    await renew(life);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'renewal sent', 'renewal sent']);
    const [start] = await reportsOf(life.id);
    const [, ...later] = (await knownOf(life)) as Json[];
    for (const one of later) {
      expect(one.recurringTransaction).toEqual({
        initialExternalTransactionId: start?.id,
        externalSubscription,
      });
    }
  });

  describe('after a change of the product', () => {
    const changed = async (user: string): Promise<FakeStripeSubscription> => {
      const life = await subscribe(user, await token(user));
      world.clock.advanceMs(DAY_MS);
      const event = life.changeTo(plus);
      inSpain(life);
      await world.notify(event);
      return life;
    };

    it('waits for another token with the charge and all later ones', async () => {
      const life = await changed(newAppUserId());
      await renew(life);
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'change needs_token', 'renewal due']);
      const [, waiting] = await reportsOf(life.id);
      expect(waiting).toMatchObject({ token_id: null, reason: expect.stringContaining('new token') });
      expect((await health()).external_report_hints).toContainEqual(
        expect.stringContaining('another token: bind one to the purchase.'),
      );
    });

    it('sends them once the purchase is bound to another token', async () => {
      const user = newAppUserId();
      const life = await changed(user);
      const second = await token(user);
      await renew(life);
      await send();
      const subscription = await world.subscription(user);
      const { status, body } = await bind(second, subscription.id as string);
      expect([status, body.state, body.bindings]).toEqual([
        200,
        'used',
        [expect.objectContaining({ store_purchase_identifier: life.id, bound_by: 'action' })],
      ]);
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'change sent', 'renewal sent']);
      const [start, change, renewal] = await reportsOf(life.id);
      expect(start?.token_id).not.toBe(second.id);
      expect([change?.token_id, renewal?.token_id]).toEqual([second.id, second.id]);
      expect(await knownOf(life)).toEqual([
        expect.anything(),
        expect.objectContaining({
          recurringTransaction: { externalTransactionToken: second.secret, externalSubscription },
        }),
        expect.objectContaining({
          recurringTransaction: { initialExternalTransactionId: change?.id, externalSubscription },
        }),
      ]);
      await renew(life);
      await send();
      expect((await reportsOf(life.id)).at(-1)).toMatchObject({ token_id: second.id, state: 'sent' });
    });

    it('sends them once the metadata of the subscription names another token', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      const second = await token(user);
      life.object.metadata = { external_purchase_token_id: second.id };
      await world.notify(life.updated());
      expect((await tokenOf(second.id)).state).toBe('open');
      world.clock.advanceMs(DAY_MS);
      const event = life.changeTo(plus);
      inSpain(life);
      await world.notify(event);
      expect(await statesOf(life)).toEqual(['start due', 'change due']);
      expect((await tokenOf(second.id)).bindings).toEqual([expect.objectContaining({ bound_by: 'id' })]);
      await renew(life);
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'change sent', 'renewal sent']);
      expect((await reportsOf(life.id)).map(({ token_id: id }) => id === second.id)).toEqual([
        false,
        true,
        true,
      ]);
    });

    it('rejects another token of the purchase while none is needed, and tokens that do not fit', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      const spare = await token(user);
      const { id } = await world.subscription(user);
      expect((await bind(spare, id as string)).status).toBe(409);
      world.clock.advanceMs(DAY_MS);
      const event = life.changeTo(plus);
      inSpain(life);
      await world.notify(event);
      const [start] = await reportsOf(life.id);
      expect((await bind({ id: start?.token_id, secret: '' }, id as string)).status).toBe(409);
      expect((await bind(await token(newAppUserId()), id as string)).status).toBe(409);
      world.clock.advanceMs(2 * DAY_MS);
      expect((await bind(await token(user), id as string)).status).toBe(409);
      const ios = { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example.ios' } };
      const iosId = (await world.backend.post(`${world.path}/apps`, ios)).body.id;
      const content = { bundleId: 'com.example.ios', externalPurchaseId: 'p1' };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      const apple = await world.backend.post(`${world.path}/customers/${user}/external_purchase_tokens`, {
        app_id: iosId,
        store: 'apple',
        token: text,
      });
      expect((await bind({ id: apple.body.id, secret: '' }, id as string)).status).toBe(409);
      expect((await bind(spare, id as string)).status).toBe(200);
    });
  });

  it('reports a further charge within the period as a recurrence', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    world.clock.advanceMs(DAY_MS);
    const event = life.billLines('subscription_update', [
      { of: 'item', price, amount: 605, to: 29, proration: true },
    ]);
    inSpain(life);
    await world.notify(event);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'payment sent']);
    const [start] = await reportsOf(life.id);
    expect(((await knownOf(life)) as Json[])[1]).toMatchObject({
      originalPreTaxAmount: eur('5000000'),
      recurringTransaction: { initialExternalTransactionId: start?.id },
    });
  });

  it('reports a one-time purchase with its token', async () => {
    const user = newAppUserId();
    const own = await token(user);
    const { session } = world.stripe.checkout([{ price: { ...fakePrices.lifetime, currency: 'eur' } }]);
    session.metadata = { external_purchase_token_id: own.id };
    session.customer_details = { address: { country: 'ES' } };
    expect((await world.post(user, session.id)).status).toBe(200);
    const { id } = session.payment_intent as { id: string };
    await send();
    expect(await statesOf({ id })).toEqual(['one_time sent']);
    expect(await knownOf({ id })).toEqual([
      expect.objectContaining({ oneTimeTransaction: { externalTransactionToken: own.secret } }),
    ]);
  });

  it('reports partial refunds of a renewal under its id, until nothing is left', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await renew(life);
    await world.notify(life.refund(605));
    await world.notify(life.refund(605));
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'renewal sent', 'refund sent', 'refund sent']);
    const [, , one, other] = await reportsOf(life.id);
    const [start, renewal] = (await knownOf(life)) as Json[];
    expect([start?.leftMicros, renewal?.leftMicros]).toEqual([10_000_000n, 0n]);
    expect([...(renewal?.refundIds as Set<string>)]).toEqual([one?.id, other?.id]);
  });

  it.each(['a full refund', 'a chargeback'])('reports %s as a full refund', async (what) => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    if (what === 'a full refund') await world.notify(life.refund());
    else {
      await world.notify(world.stripe.dispute(life.charge));
      await world.notify(world.stripe.closeDispute(life.charge, 'lost'));
    }
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
    expect(await knownOf(life)).toEqual([
      expect.objectContaining({ isCanceled: true, leftMicros: 0n }),
      undefined,
    ]);
  });

  it('leaves a failed refund to a person', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await world.notify(life.refund());
    await world.notify(world.stripe.failRefund(life.charge));
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'refund sent', 'refund_reversal manual']);
    expect((await reportsOf(life.id)).at(-1)?.reason).toBe('Google accepts no corrections.');
    const byHand = expect.stringContaining('must be made by hand');
    expect((await health()).external_report_hints).toContainEqual(byHand);
    await configure({ external_transaction_reports: { enabled: false } });
    expect((await health()).external_report_hints).toEqual([]);
  });

  it('reports yen in micros', async () => {
    const user = newAppUserId();
    const yen = { ...price, currency: 'jpy', amount: 1_100 };
    const life = world.stripe.subscribe(yen);
    const { id } = await token(user);
    life.object.metadata = { external_purchase_token_id: id };
    for (const invoice of life.invoices) invoice.customer_address = { country: 'JP' };
    await world.post(user, life.id);
    await send();
    expect(await knownOf(life)).toEqual([
      expect.objectContaining({
        originalPreTaxAmount: { priceMicros: '1000000000', currency: 'JPY' },
        originalTaxAmount: { priceMicros: '100000000', currency: 'JPY' },
      }),
    ]);
  });

  it('reports a currency that Apple does not accept as it was paid', async () => {
    const user = newAppUserId();
    const lines = [{ of: 'item', price, amount: 1_790, taxIncluded: 0, to: 30 }] as const;
    const life = await subscribe(
      user,
      await token(user),
      { lines: [...lines] },
      { ...price, currency: 'isk' },
    );
    await send();
    expect(await knownOf(life)).toEqual([
      expect.objectContaining({ originalTaxAmount: { priceMicros: '0', currency: 'ISK' } }),
    ]);
  });

  it('leaves a tax that becomes known later to a person, and rejects corrections with 422', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await send();
    const [line] = life.latest.lines;
    if (line) line.taxes = [{ amount: 220, tax_behavior: 'inclusive' }];
    world.clock.advanceMs(MINUTE_MS);
    await world.post(user, life.id);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'restatement manual']);
    const [report] = await reportsOf(life.id);
    const answer = await world.backend.post(path(`/${report?.id}/actions/restate`), { tax: 2.3 });
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('no corrections')]);
  });

  it('sends no reports of test purchases', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user), { livemode: false });
    await send();
    expect(await reportsOf(life.id)).toEqual([]);
  });

  it('waits with purchases in India until their state is known', async () => {
    const user = newAppUserId();
    const { id } = await token(user);
    const life = world.stripe.subscribe({ ...price, currency: 'inr' });
    life.object.metadata = { external_purchase_token_id: id };
    for (const invoice of life.invoices) invoice.customer_address = { country: 'IN' };
    await world.post(user, life.id);
    await send();
    expect(await statesOf(life)).toEqual(['start needs_data']);
    const [report] = await reportsOf(life.id);
    expect(report?.reason).toBe('Google requires the state of India.');
    const restated = await world.backend.post(path(`/${report?.id}/actions/restate`), {
      tax_region: 'Kerala',
    });
    expect([restated.status, restated.body.state]).toEqual([200, 'due']);
    world.clock.advanceMs(31 * DAY_MS);
    const event = life.renew();
    life.latest.customer_address = { country: 'IN' };
    await world.notify(event);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'renewal sent']);
    for (const known of await knownOf(life)) {
      expect(known).toMatchObject({
        userTaxAddress: { regionCode: 'IN', administrativeArea: 'Kerala' },
        originalPreTaxAmount: { priceMicros: '10254237', currency: 'INR' },
      });
    }
  });

  it('waits for a token of its own if another purchase used the one that is named', async () => {
    const user = newAppUserId();
    const first = await token(user);
    await subscribe(user, first);
    const { id: firstId } = await world.subscription(user);
    const again = await subscribe(user, first);
    await send();
    expect(await statesOf(again)).toEqual(['start needs_token']);
    const { items } = (await world.backend.get(`${world.path}/customers/${user}/subscriptions`)).body;
    const own = items.find(({ id }: Json) => id !== firstId);
    expect((await bind(first, own.id as string)).status).toBe(409);
    const second = await token(user);
    expect((await bind(second, own.id as string)).status).toBe(200);
    await send();
    expect(await statesOf(again)).toEqual(['start sent']);
  });

  it('waits for another token with what was sold once together with a subscription', async () => {
    const user = newAppUserId();
    const first = await token(user);
    const life = await subscribe(user, first, {
      lines: [
        { of: 'item', price, amount: 1_000, tax: 210, to: 30 },
        { of: 'once', price: { ...fakePrices.book, currency: 'eur' }, amount: 500, tax: 105 },
      ],
    });
    expect(await statesOf(life)).toEqual(['start due']);
    const { bindings } = await tokenOf(first.id);
    const book = bindings.find((one: Json) => one.store_purchase_identifier !== life.id);
    const id = book.store_purchase_identifier as string;
    expect(await statesOf({ id })).toEqual(['one_time needs_token']);
    const second = await token(user);
    const { items } = (await world.backend.get(`${world.path}/customers/${user}/purchases`)).body;
    const answer = await world.backend.post(
      `${world.path}/external_purchase_tokens/${second.id}/actions/bind`,
      { purchase_id: items[0].id },
    );
    expect(answer.status).toBe(200);
    await send();
    expect([await statesOf(life), await statesOf({ id })]).toEqual([['start sent'], ['one_time sent']]);
    expect((await knownOf({ id }))[0]).toMatchObject({ token: second.secret });
  });

  it('reports past charges once a purchase is bound, and everything once reporting is on', async () => {
    const user = newAppUserId();
    const own = await token(user);
    const life = world.stripe.subscribe(price);
    inSpain(life);
    await world.post(user, life.id);
    await renew(life);
    expect(await reportsOf(life.id)).toEqual([]);
    const { id } = await world.subscription(user);
    world.clock.advanceMs(1_000);
    expect((await bind(own, id as string)).status).toBe(200);
    await drain();
    expect(await statesOf(life)).toEqual(['start due', 'renewal due']);
    await send();
    expect(await statesOf(life)).toEqual(['start sent', 'renewal sent']);
  });

  it('binds purchases without an id to the only open token of the customer', async () => {
    await configure({ external_transaction_reports: { bind: 'newest' } });
    const user = newAppUserId();
    const own = await token(user);
    const life = world.stripe.subscribe(price);
    inSpain(life);
    await world.post(user, life.id);
    expect((await reportsOf(life.id))[0]?.token_id).toBe(own.id);
  });

  it('sends a report as soon as it is recorded', async () => {
    await enable();
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await drain();
    expect(await statesOf(life)).toEqual(['start sent']);
  });

  describe('when Google does not accept them', () => {
    it('sends a report again after an outage, with the same id', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      const ids: (string | null)[] = [];
      google.interfere = ({ path: to, query }) => {
        if (!to.startsWith('/externalTransactions')) return undefined;
        ids.push(query.get('externalTransactionId'));
        return ids.length <= 2 ? googleError(503, 'backendError') : undefined;
      };
      for (let attempt = 0; attempt < 4; attempt++) await send();
      expect(await statesOf(life)).toEqual(['start sent']);
      const [report] = await reportsOf(life.id);
      expect(ids).toEqual([report?.id, report?.id, report?.id]);
    });

    it('keeps later reports waiting behind a refused one, which a person sends again', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      await world.notify(life.refund());
      google.interfere = ({ method, path: to }) =>
        method === 'POST' && to === '/externalTransactions'
          ? googleError(400, 'invalidArgument', 'The region is wrong.')
          : undefined;
      await send();
      expect(await statesOf(life)).toEqual(['start refused', 'refund due']);
      expect((await health()).refused_external_report.message).toContain('The region is wrong.');
      google.interfere = () => undefined;
      const [refused] = await reportsOf(life.id);
      expect((await world.backend.post(path(`/${refused?.id}/actions/send_again`))).body.state).toBe('due');
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
      expect((await health()).refused_external_report).toBeNull();
    });

    it('sends a refused start with another token once the purchase is bound to it', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      await world.notify(life.refund(605));
      google.interfere = ({ method, path: to }) =>
        method === 'POST' && to === '/externalTransactions'
          ? googleError(400, 'invalidArgument', 'The token is unknown.')
          : undefined;
      await send();
      expect(await statesOf(life)).toEqual(['start refused', 'refund due']);
      google.interfere = () => undefined;
      const second = await token(user);
      expect((await bind(second, (await world.subscription(user)).id as string)).status).toBe(200);
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
      expect((await knownOf(life))[0]).toMatchObject({ token: second.secret });
      const reports = await reportsOf(life.id);
      expect(reports.map(({ token_id: id }) => id)).toEqual([second.id, second.id]);
    });

    it('shows credentials that Google refuses in the setup health, and sends later', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      google.interfere = ({ path: to }) =>
        to.startsWith('/externalTransactions') ? googleError(403, 'permissionDenied') : undefined;
      await send();
      expect((await health()).credentials_error.message).toContain('service account');
      google.interfere = () => undefined;
      for (let attempt = 0; attempt < 3; attempt++) await send();
      expect(await statesOf(life)).toEqual(['start sent']);
      expect((await health()).credentials_error).toBeNull();
    });

    it('logs an error if a report has not reached Google for 20 hours', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      google.interfere = ({ path: to }) =>
        to.startsWith('/externalTransactions') ? googleError(503, 'backendError') : undefined;
      const alarms = (): number =>
        logged.filter(
          (line) => line.includes('has not reached its store') && line.includes('"level":"error"'),
        ).length;
      const before = alarms();
      world.clock.advanceMs(19 * 60 * MINUTE_MS);
      await send();
      expect(alarms()).toBe(before);
      world.clock.advanceMs(60 * MINUTE_MS);
      await send();
      expect(alarms()).toBe(before + 1);
      const late = expect.stringContaining('not reached');
      expect((await health()).external_report_hints).toContainEqual(late);
      google.interfere = () => undefined;
      world.clock.advanceMs(60 * MINUTE_MS);
      await send();
      expect(await statesOf(life)).toEqual(['start sent']);
    });
  });

  describe('when a process dies', () => {
    it('recognizes a report that Google accepted before it was recorded', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      await world.notify(life.refund(605));
      const service = world.server.app.get(ExternalPurchaseReportsService);
      const before = google.external.transactions.size;
      for (let step = 0; step < 2; step++) {
        const record = jest.spyOn(service, 'recordSent').mockRejectedValueOnce(new Error('killed'));
        await send();
        record.mockRestore();
      }
      await send();
      expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
      const [known] = (await knownOf(life)) as Json[];
      expect([google.external.transactions.size - before, known?.leftMicros]).toEqual([1, 5_000_000n]);
    });

    it('recognizes a report whose answer was lost', async () => {
      const user = newAppUserId();
      const life = await subscribe(user, await token(user));
      google.interfere = (call) => {
        if (call.path !== '/externalTransactions') return undefined;
        google.interfere = () => undefined;
        google.external.answer(call);
        return { status: 200, instead: 'reset' };
      };
      await send();
      expect(await statesOf(life)).toEqual(['start due']);
      await send();
      expect(await statesOf(life)).toEqual(['start sent']);
    });

    it('sends each report once with two replicas', async () => {
      const users = Array.from({ length: 5 }, newAppUserId);
      const lives: FakeStripeSubscription[] = [];
      for (const user of users) {
        const life = await subscribe(user, await token(user));
        await world.notify(life.refund(605));
        lives.push(life);
      }
      const { databaseUrl } = world.server;
      const replica = await startTestServer({
        databaseUrl,
        clock: world.clock,
        env: { SERVICE_TEST_STORES: 'true', ...env },
      });
      const isReport = ({ method, path: to }: { method: string; path: string }): boolean =>
        method === 'POST' && to.startsWith('/externalTransactions');
      const calls = google.calls.filter(isReport).length;
      await enable();
      await world.server.app.get(ExternalTransactionsJob).schedule();
      world.clock.advanceMs(10 * MINUTE_MS);
      await Promise.all([drain(), drain(replica)]);
      for (const life of lives) expect(await statesOf(life)).toEqual(['start sent', 'refund sent']);
      expect(google.calls.filter(isReport).length - calls).toBe(10);
      await replica.close();
    });
  });

  it('deletes the reports about a purchase seven years after its last one', async () => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await send();
    await renew(life);
    await send();
    const run = (): Promise<void> => world.server.app.get(CleanupsJob).run();
    const ids = (await reportsOf(life.id)).map(({ id }) => id as string);
    const age = (id: string, years: number): Promise<unknown> =>
      world.server.dataSource.query(
        `UPDATE external_purchase_reports SET created_at = $2::timestamptz - $3::interval WHERE id = $1`,
        [id, new Date(world.clock.nowMs()), `${years} years`],
      );
    await age(ids[0] ?? '', 8);
    await age(ids[1] ?? '', 6);
    await run();
    expect(await statesOf(life)).toEqual(['start sent', 'renewal sent']);
    await age(ids[1] ?? '', 8);
    await run();
    expect(await statesOf(life)).toEqual([]);
  });

  it('sends at most 20 reports at once, and 10 a second after that', async () => {
    const lives: FakeStripeSubscription[] = [];
    for (let index = 0; index < 33; index++) {
      const user = newAppUserId();
      lives.push(await subscribe(user, await token(user)));
    }
    const sent = async (): Promise<number> => {
      await drain();
      const all = await walkList(world.backend, path(), 50);
      const own = all.filter((one) => lives.some(({ id }) => id === one.store_purchase_identifier));
      return own.filter(({ state }) => state === 'sent').length;
    };
    await send();
    expect(await sent()).toBe(20);
    world.clock.advanceMs(1_000);
    expect(await sent()).toBe(30);
    world.clock.advanceMs(1_000);
    expect(await sent()).toBe(33);
  });

  it.each(['app', 'project'])('sends nothing for a deleted %s', async (what) => {
    const user = newAppUserId();
    const life = await subscribe(user, await token(user));
    await enable();
    await world.server.app.get(ExternalTransactionsJob).schedule();
    const isReport = ({ path: to }: { path: string }): boolean => to.startsWith('/externalTransactions');
    const before = google.calls.filter(isReport).length;
    if (what === 'app') expect((await world.backend.delete(`${world.path}/apps/${appId}`)).status).toBe(200);
    // As before the purge, which would remove the tasks.
    else await world.server.dataSource.query('UPDATE projects SET deleted_at = now(), purge_due_at = now()');
    world.clock.advanceMs(10 * MINUTE_MS);
    await drain();
    if (what === 'app') {
      await world.notify(life.refund());
      appId = await addApp();
    }
    await drain();
    expect(google.calls.filter(isReport).length).toBe(before);
  });
});
