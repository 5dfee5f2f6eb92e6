import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { OverdueSubscriptionsJob } from '../../src/stores/shared/overdue-subscriptions.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { type RokuWorld, startRokuWorld } from '../support/arrange-roku.js';
import { rokuErrors, rokuProducts } from '../support/fake-roku/fake-roku.js';
import type { FakeRokuSubscription } from '../support/fake-roku/fake-roku-subscription.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { monthly, yearly, basic, coins, lifetime } = rokuProducts;

describe('Roku Pay', () => {
  let world: RokuWorld;
  let count = 0;
  const lines: string[] = [];
  const newAppUserId = (): string => `user-${++count}`;
  const resting = { track_new_purchases: false, allow_test_notifications: false };

  beforeAll(async () => {
    world = await startRokuWorld({ logTo: (line) => lines.push(line) });
  });
  beforeEach(async () => {
    world.roku.interfere = () => undefined;
    world.pushes.interfere = () => undefined;
    world.roku.spelling = 'capital';
    const { apiKey, channelId } = world.roku;
    await world.configure({ ...resting, roku_api_key: apiKey, roku_channel_id: channelId });
  });
  afterAll(() => world.close());

  const refused = ({ status, body }: Answer): unknown[] => [status, body.code];
  const upkeep = async (): Promise<void> => {
    await world.server.app.get(OverdueSubscriptionsJob).schedule();
    await world.server.app.get(StoreTasksService).drain();
    // Roku is asked about a few purchases a second, of all the tests before.
    for (let second = 0; second < 20; second++) {
      await world.server.app.get(StoreRefreshJob).drain();
      world.clock.advanceMs(1_000);
    }
  };
  /** Background work adds events to what is there, but no purchases. */
  const purchases = async (): Promise<number> => {
    const [row] = await world.server.dataSource.query<{ count: string }[]>(
      'SELECT (SELECT count(*) FROM subscriptions) + (SELECT count(*) FROM one_time_purchases) AS count',
    );
    return Number(row?.count);
  };
  const inbox = async (): Promise<Json[]> =>
    world.server.dataSource.query(
      'SELECT app_id, kind, state, subject, last_error FROM store_notifications ORDER BY received_at DESC, id DESC LIMIT 5',
    );
  const secondApp = async (fields: object): Promise<{ appId: string; sdk: RokuWorld['sdk'] }> => {
    const made = await world.backend.post(`${world.path}/apps`, {
      name: 'Second',
      type: 'roku',
      roku: fields,
    });
    const keys = await world.backend.get(`${world.path}/apps/${made.body.id}/public_api_keys`);
    const sdk = world.server.http.withKey(keys.body.items[0].key).with({ 'x-platform': 'roku' });
    return { appId: made.body.id, sdk };
  };

  describe('receipts', () => {
    it('records receipts as the SDK posts them, with the price as text: a subscription at the price that Roku charged', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe();
      const answer = await world.sdk.post('/v1/receipts', {
        app_user_id: user,
        fetch_token: life.id,
        product_id: monthly.id,
        price: '$9.99',
        currency: 'USD',
        normal_duration: 'P1M',
        intro_duration: null,
        trial_duration: null,
        presented_offering_identifier: 'sale',
      });
      expect(answer.status).toBe(200);
      expect(answer.body.subscriber.subscriptions[monthly.id]).toMatchObject({
        store: 'roku',
        is_sandbox: false,
        period_type: 'normal',
        store_transaction_id: life.id,
        price: { amount: 9.99, currency: 'USD' },
      });
      expect(answer.body.subscriber.management_url).toBe('https://my.roku.com/account/subscriptions');
      expect(await world.subscription(user)).toMatchObject({
        presented_offering_id: 'sale',
        gives_access: true,
        // Roku does not report its share of 20 %.
        total_revenue_in_usd: { gross: 9.99, commission: 2, proceeds: 7.99 },
      });
    });

    it.each(['capital', 'small'] as const)(
      'treats the same id without dashes as the same purchase, whatever the spelling (%s)',
      async (spelling) => {
        world.roku.spelling = spelling;
        const user = newAppUserId();
        const life = world.roku.subscribe();
        expect((await world.post(user, life.id)).status).toBe(200);
        const rows = await world.purchaseRows();
        expect((await world.post(user, life.id.replaceAll('-', '').toLowerCase())).status).toBe(200);
        expect(await world.purchaseRows()).toBe(rows);
      },
    );

    it('records one-time purchases, by their dates or by the catalog, with their quantity (K22)', async () => {
      const user = newAppUserId();
      const some = world.roku.buy(coins, { quantity: 3 });
      const { body } = await world.post(user, some.id, { product_id: coins.id });
      expect(body.subscriber.non_subscriptions.coins[0]).toMatchObject({
        store: 'roku',
        store_transaction_id: some.id,
      });
      const forever = await world.post(user, world.roku.buy(lifetime).id);
      expect(forever.body.subscriber.entitlements.pro.expires_date).toBeNull();
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'NON_RENEWING_PURCHASE']);
      const found = await world.backend.get(`${world.path}/customers/${user}/purchases`);
      expect(found.body.items.map((row: Json) => row.quantity).sort()).toEqual([1, 3]);
    });

    it('treats sideloaded channels as sandbox', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe(monthly, { isTest: true });
      const sideloaded = world.sdk.with({ 'x-is-sandbox': 'true' });
      const first = await sideloaded.post('/v1/receipts', { app_user_id: user, fetch_token: life.id });
      expect(first.body.subscriber.subscriptions[monthly.id].is_sandbox).toBe(true);
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.renew());
      expect((await world.post(user, life.id)).status).toBe(200);
      const list = await world.backend.get(`${world.path}/customers/${user}/subscriptions`);
      expect(list.body.items.map((row: Json) => row.environment)).toEqual(['sandbox']);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it.each([
      ['an unknown id', () => world.roku.newId()],
      [
        'the purchase of another developer',
        () => world.roku.subscribe(monthly, { account: world.roku.other }).id,
      ],
      ['a path', () => '../../x'],
      ['two dots', () => '..'],
      ['more than Roku allows', () => 'a'.repeat(1025)],
      ['another form', () => 'a/b?c'],
    ])('refuses receipts with %s for good', async (_, token) => {
      const rows = await world.purchaseRows();
      expect(refused(await world.post(newAppUserId(), token()))).toEqual([400, 7103]);
      expect(await world.purchaseRows()).toBe(rows);
    });

    it('refuses ids that Roku does not accept', async () => {
      world.roku.interfere = () => rokuErrors.notAnId;
      expect(refused(await world.post(newAppUserId(), 'abc'))).toEqual([400, 7103]);
    });

    it.each([
      ['is down', rokuErrors.down, '30'],
      ['asks to wait', rokuErrors.tooMany, '90'],
      ['answers in XML', rokuErrors.xml, '30'],
      ['answers with another status than it knows', { status: 200, body: { status: 7 } }, '30'],
    ])('loses nothing while Roku %s', async (_, failure, wait) => {
      const life = world.roku.subscribe();
      world.roku.interfere = () => failure;
      const answer = await world.post('waiting', life.id);
      expect([...refused(answer), answer.headers['retry-after']]).toEqual([503, 7101, wait]);
      world.roku.interfere = () => undefined;
      expect((await world.post('waiting', life.id)).status).toBe(200);
    });

    it('handles a voided test purchase: unknown here it is refused, known here it ends at the next poll', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe(monthly, { isTest: true });
      const gone = world.roku.subscribe(monthly, { isTest: true });
      expect((await world.post(user, life.id)).status).toBe(200);
      world.roku.forget(life.id);
      world.roku.forget(gone.id);
      expect(refused(await world.post(newAppUserId(), gone.id))).toEqual([400, 7103]);
      const again = await world.post(user, life.id);
      expect([again.status, Object.keys(again.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
      world.clock.advanceMs(30 * DAY_MS + HOUR_MS);
      await upkeep();
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/UNKNOWN',
        'EXPIRATION/UNKNOWN',
      ]);
    });
  });

  describe('the API key', () => {
    const check = (body: object) =>
      world.backend.post(`${world.path}/apps/${world.appId}/actions/verify_credentials`, body);

    it('keeps receipts when refused or missing, shows it in setup health, and recovers automatically', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe();
      for (const roku_api_key of ['W'.repeat(36), null]) {
        await world.configure({ roku_api_key });
        expect(refused(await world.post(user, life.id))).toEqual([503, 7101]);
        expect((await world.health()).credentials_error.message).toContain('roku_api_key');
      }
      await world.configure({ roku_api_key: world.roku.apiKey });
      expect((await world.post(user, life.id)).status).toBe(200);
      expect((await world.health()).credentials_error).toBeNull();
    });

    it('passes a harmless call, saved or not', async () => {
      expect((await check({})).body).toMatchObject({ status: 'valid', valid: true, store: 'roku' });
      expect((await check({ roku_api_key: 'W'.repeat(36) })).body.status).toBe('invalid');
      world.roku.interfere = () => ({ status: 403, body: '' });
      expect((await check({})).body.status).toBe('invalid');
      world.roku.interfere = () => rokuErrors.down;
      expect((await check({})).body.status).toBe('unreachable');
      world.roku.interfere = () => ({ status: 400, body: '<html>' });
      expect((await check({})).body.status).toBe('unreachable');
    });

    it('appears in no log line and no answer', () => {
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join('\n')).not.toContain(world.roku.apiKey);
    });
  });

  describe('push notifications', () => {
    it('stores those before the receipt; the answer repeats the key of the message', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe();
      const message = life.bought();
      const answer = await world.notify(message);
      expect([answer.status, answer.text]).toEqual([200, message.responseKey]);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.headers.apikey).toBeUndefined();
      expect((await inbox())[0]).toMatchObject({ kind: 'Sale', state: 'ignored_unknown_purchase' });
      expect((await world.post(user, life.id)).status).toBe(200);
      await world.process();
      expect((await inbox())[0].state).toBe('processed');
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('tracks a new purchase for the owner of the Roku account, the customer it names, or a new one', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const first = world.roku.subscribe();
      await world.post(user, first.id);
      const customerId = first.customerId;
      const second = world.roku.subscribe(yearly, { customerId });
      await world.notify(second.bought());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE']);
      const named = world.roku.subscribe(basic, { partnerReferenceId: user });
      await world.notify(named.bought());
      expect(await world.events(user)).toHaveLength(3);
      const rows = await purchases();
      await world.notify(world.roku.subscribe(monthly, { partnerReferenceId: 'never-seen' }).bought());
      expect(await purchases()).toBe(rows + 1);
    });

    it('counts fifty at once as one', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe();
      await world.post(user, life.id);
      world.clock.advanceMs(30 * DAY_MS);
      const body = world.pushes.push(life.renew());
      const answers = await Promise.all(Array.from({ length: 50 }, () => world.send(body)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('ignores messages of another developer, signed with the same keys', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const life = world.roku.subscribe();
      await world.post(user, life.id);
      const foreign = world.roku.subscribe(monthly, { account: world.roku.other });
      const rows = await purchases();
      // Theirs; ours by its id; a refund and a chargeback of ours that Roku does not know.
      const refundId = world.roku.refund(life.id, 9.99, world.roku.other);
      const claims = [
        foreign.bought(),
        { ...foreign.cancel(), originalTransactionId: life.id },
        {
          ...foreign.bought(),
          transactionType: 'Refund',
          transactionId: refundId,
          originalTransactionId: life.id,
        },
        { ...foreign.bought(), transactionType: 'Chargeback', total: 9.99 },
      ];
      for (const message of claims) expect((await world.notify(message)).status).toBe(200);
      expect(await purchases()).toBe(rows);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscription(user)).toMatchObject({
        auto_renewal_status: 'will_renew',
        gives_access: true,
      });
    });

    it('passes messages of another channel to its app, or ignores them', async () => {
      const channel = '654321';
      const life = world.roku.subscribe(monthly, { channelId: channel });
      await world.notify(life.bought());
      expect((await inbox())[0]).toMatchObject({ app_id: world.appId, state: 'ignored_unknown_purchase' });
      expect(refused(await world.post('elsewhere', life.id))).toEqual([400, 7103]);
      const other = await secondApp({ roku_channel_id: channel, roku_api_key: world.roku.apiKey });
      const user = newAppUserId();
      // Posted with the key of the first app, it is a purchase of the second.
      expect((await world.post(user, life.id)).status).toBe(200);
      const [row] = await world.server.dataSource.query<{ app_id: string }[]>(
        'SELECT app_id FROM subscriptions WHERE store_key = $1',
        [life.id.replaceAll('-', '').toLowerCase()],
      );
      expect(row?.app_id).toBe(other.appId);
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.renew());
      expect((await inbox())[0]).toMatchObject({ app_id: other.appId, kind: 'Sale', state: 'processed' });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it.each<[string, () => string]>([
      ['without a signature', () => world.pushes.push(life().bought(), { algorithm: 'none' })],
      [
        'signed with the public key as a secret',
        () => world.pushes.push(life().bought(), { algorithm: 'HS256' }),
      ],
      ['of another issuer', () => world.pushes.push(life().bought(), { claims: { iss: 'Roku' } })],
      ['that expired', () => world.pushes.push(life().bought(), { claims: { exp: past(120) } })],
      ['without an end', () => world.pushes.push(life().bought(), { claims: { exp: undefined } })],
      ['of tomorrow', () => world.pushes.push(life().bought(), { claims: { nbf: past(-86_400) } })],
      ['by an unknown key', () => world.pushes.push(life().bought(), { signedBy: world.pushes.unpublished })],
      [
        'that names the address of its key',
        () =>
          world.pushes.push(life().bought(), {
            signedBy: world.pushes.unpublished,
            header: { jku: `${world.pushes.url}/keys/partner-jwks-test.json` },
          }),
      ],
      ['signed for tests', () => world.pushes.push(life().bought(), { signedBy: world.pushes.testKey })],
      [
        'of another type',
        () => world.pushes.push(life().bought(), { claims: { 'x-Roku-message-type': 'x' } }),
      ],
      ['without its id', () => world.pushes.push(life().bought(), { messageKey: '' })],
      ['that holds no JSON', () => world.pushes.push('<xml/>')],
      ['that names no transaction', () => world.pushes.push({ transactionType: 'Sale', responseKey: 'x' })],
      ['that was never signed', () => JSON.stringify(life().bought())],
      ['that is empty', () => ' '],
      ['whose content was exchanged', () => exchanged()],
    ])('%s is refused, and nothing of it is processed', async (_, body) => {
      const rows = await purchases();
      expect(refused(await world.send(body()))).toEqual([400, 7103]);
      expect((await inbox())[0].state).toBe('rejected');
      expect(await purchases()).toBe(rows);
    });

    it('refuses those without a signature, and setup health names the switch at Roku', async () => {
      const id = 'bf9af441015311ed810f0a58a9feac11';
      const push = {
        customerId: '168c2bda168854bb805f24ab296390a3',
        transactionType: 'Sale',
        transactionId: id,
        channelId: '70391',
        productCode: '5KAZUPGB.0RF0',
        price: 0.99,
        total: 0.99,
        tax: 0,
        currency: 'usd',
        originalTransactionId: id,
        eventDate: new Date(world.clock.nowMs()).toISOString(),
        expirationDate: new Date(world.clock.nowMs() + 30 * 86_400_000).toISOString(),
        responseKey: id,
      };
      world.clock.advanceMs(1000);
      expect(refused(await world.send(JSON.stringify(push)))).toEqual([400, 7103]);
      const unsigned = {
        notification_status: 'unsigned',
        last_notification_error: {
          at: world.clock.nowMs(),
          type: 'rejected',
          message: expect.stringContaining('Switch on signature'),
        },
      };
      expect(await world.health()).toMatchObject(unsigned);
      const settings = `${world.path}/apps/${world.appId}/store_settings`;
      expect((await world.backend.get(settings)).body).toMatchObject(unsigned);
    });

    it('counts as switched on when a signed notification follows an unsigned one', async () => {
      world.clock.advanceMs(1000);
      await world.send(JSON.stringify({ responseKey: 'a', transactionType: 'Sale' }));
      expect((await world.health()).notification_status).toBe('unsigned');
      await world.notify(world.roku.subscribe().bought());
      expect((await world.health()).notification_status).toBe('ready');
    });

    it.each([
      ['another body', 'no JSON Web Signature'],
      ['a signature by an unknown key', null],
    ])('avoids the status unsigned for %s', async (_, body) => {
      world.clock.advanceMs(1000);
      await world.notify(world.roku.subscribe().bought());
      world.clock.advanceMs(1000);
      await world.send(body ?? world.pushes.push(life().bought(), { signedBy: world.pushes.testKey }));
      expect((await world.health()).notification_status).toBe('ready');
    });

    const life = (): FakeRokuSubscription => world.roku.subscribe();
    const past = (seconds: number): number => Math.floor(world.clock.nowMs() / 1_000) - seconds;
    const exchanged = (): string => {
      const [header, , signature] = world.pushes.push(life().bought()).split('.');
      const [, claims] = world.pushes.push(life().bought()).split('.');
      return [header, claims, signature].join('.');
    };

    it('accepts test messages where the app says so, in either alphabet', async () => {
      await world.configure({ allow_test_notifications: true });
      const message = life().bought();
      const { testKey } = world.pushes;
      expect((await world.send(world.pushes.push(message, { signedBy: testKey }))).status).toBe(200);
      const settings = await world.backend.get(`${world.path}/apps/${world.appId}/store_settings`);
      expect(settings.body).toMatchObject({ allow_test_notifications: true, receipts: 'supported' });
      const text = { ...message, productName: 'ÿÿÿ>>>???' };
      expect((await world.send(world.pushes.push(text, { encoding: 'base64url' }))).status).toBe(200);
    });

    it('refuses them for now while the keys cannot be read, and accepts them later; new keys are found', async () => {
      world.clock.advanceMs(2 * HOUR_MS);
      const user = newAppUserId();
      const one = life();
      await world.post(user, one.id);
      world.pushes.rotate();
      world.pushes.interfere = () => ({ status: 500 });
      const body = world.pushes.push(one.cancel());
      const late = await world.send(body);
      expect([400, 503]).toContain(late.status);
      world.pushes.interfere = () => undefined;
      world.clock.advanceMs(61_000);
      expect((await world.send(body)).status).toBe(200);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('saves those while Roku does not answer, and processes them when it does', async () => {
      const user = newAppUserId();
      const one = life();
      await world.post(user, one.id);
      world.roku.interfere = () => rokuErrors.down;
      expect((await world.notify(one.cancel())).status).toBe(200);
      expect((await inbox())[0].state).toBe('retrying');
      world.roku.interfere = () => undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it.each(['Credit', 'Chargeback', 'SecondChargeback', 'ChargebackReversed'])(
      '%s is no event',
      async (type) => {
        const user = newAppUserId();
        const one = life();
        await world.post(user, one.id);
        await world.notify(one.news(type, { total: 9.99 }));
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
        const gross = type === 'Chargeback' || type === 'SecondChargeback' ? 0 : 9.99;
        expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(gross, 2);
      },
    );
  });

  describe('polls', () => {
    it('finds a renewal without a notification, whose later notification is no second one', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe();
      await world.post(user, life.id);
      world.clock.advanceMs(30 * DAY_MS);
      const late = life.renew();
      world.clock.advanceMs(2 * HOUR_MS);
      await upkeep();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      await world.notify(late);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      // Roku keeps 20 %.
      const { gross, commission } = (await world.subscription(user)).total_revenue_in_usd;
      expect([gross, commission]).toEqual([19.98, 4]);
    });

    it('finds a failed charge, and continues until it is paid', async () => {
      const user = newAppUserId();
      const life = world.roku.subscribe();
      await world.post(user, life.id);
      world.clock.advanceMs(30 * DAY_MS + 2 * 60_000);
      await upkeep();
      // The charge may still be on its way.
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect((await world.subscription(user)).gives_access).toBe(true);
      world.clock.advanceMs(2 * HOUR_MS);
      await upkeep();
      const failed = ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];
      expect(await world.events(user)).toEqual(failed);
      life.renew();
      world.clock.advanceMs(DAY_MS);
      await upkeep();
      expect(await world.events(user)).toEqual([...failed, 'RENEWAL']);
    });
  });

  it('refuses refunds, cancellations and extensions by this server, as Roku takes none from here', async () => {
    const user = newAppUserId();
    await world.post(user, world.roku.subscribe().id);
    const { id } = await world.subscription(user);
    for (const action of ['cancel', 'refund', 'extend']) {
      const body = action === 'extend' ? { extend_by_days: 3, extend_reason_code: 0 } : {};
      const answer = await world.backend.post(`${world.path}/subscriptions/${id}/actions/${action}`, body);
      expect([action, answer.status >= 400 && answer.status < 500]).toEqual([action, true]);
    }
  });
});
