import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type {
  FakeAccount,
  FakeSubscription,
  FakeTerms,
  FakeTier,
} from '../support/fake-app-store/fake-subscription.js';
import type { Json } from '../support/api-client.js';

const DAY_MS = 86_400_000;
const { monthly } = fakeProducts;

/** 50 seats at 13.99: 699.50. */
const S: FakeTier[] = [{ price: 13_990, quantity: 50 }];
/** 8 seats: 73.92. */
const T: FakeTier[] = [
  { price: 9_990, quantity: 5 },
  { price: 7_990, quantity: 3 },
];
/** 3 seats: 29.00. */
const U: FakeTier[] = [
  { price: 10_000, quantity: 2 },
  { price: 9_000, quantity: 1 },
];

describe('seats of the App Store', () => {
  let world: AppStoreWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(() => world.close());

  const newUser = (): string => `user-${++users}`;
  const begin = (terms: FakeTerms = {}, account: Partial<FakeAccount> = {}): FakeSubscription =>
    world.store.subscribe(world.store.account('Production', account), monthly, terms);
  const post = async (user: string, token: string): Promise<void> => {
    expect((await world.post(user, token)).status).toBe(200);
  };
  const sold = async (terms: FakeTerms = {}, account: Partial<FakeAccount> = {}, more: object = {}) => {
    const subscription = begin(terms, account);
    Object.assign(subscription.latest, more);
    const user = newUser();
    await post(user, subscription.signed());
    return { subscription, user };
  };
  /** Kind, amount in micros and ownership of a customer's ledger rows, oldest first. */
  const ledgerRows = (user: string): Promise<Json[]> =>
    world.server.dataSource.query(
      `SELECT t.kind, t.amount_micros::float8 AS amount, t.quantity, t.ownership, t.price_source
       FROM store_transactions t JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
       WHERE t.project_id = $1 AND a.app_user_id = $2 ORDER BY t.recorded_at, t.id`,
      [world.projectId, user],
    );
  const ledger = async (user: string): Promise<[string, number | null][]> =>
    (await ledgerRows(user)).map(({ kind, amount }) => [kind, amount]);
  const bodies = async (user: string): Promise<Json[]> => {
    const rows = await world.server.dataSource.query(
      `SELECT e.body FROM events e JOIN customer_aliases a ON a.project_id = e.project_id AND a.customer_id = e.customer_id
       WHERE e.project_id = $1 AND a.app_user_id = $2`,
      [world.projectId, user],
    );
    return rows
      .map(({ body }: Json) => (typeof body === 'string' ? JSON.parse(body) : body))
      .sort((a: Json, b: Json) => a.sequence - b.sequence);
  };
  const state = async (user: string) => {
    const { status, auto_renewal_status, gives_access } = await world.subscription(user);
    return [status, auto_renewal_status, gives_access];
  };
  const RUNNING = ['active', 'will_renew', true];

  describe('of the buyer', () => {
    it.each([
      ['row 101: records the sum of the tiers for 50 seats', S, 699_500_000, 50],
      ['row 102: records the sum of the tiers for seats at two prices', T, 73_920_000, 8],
      ['row 102: records the same for tiers in another order', [...T].reverse(), 73_920_000, 8],
      ['row 103: records the sum of the tiers if the average price is rounded', U, 29_000_000, 3],
    ])('%s', async (_, tiers, amount, quantity) => {
      const { user } = await sold({ tiers });
      expect(await ledgerRows(user)).toEqual([
        { kind: 'purchase', amount, quantity, ownership: 'purchased', price_source: 'store' },
      ]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await bodies(user)).toMatchObject([
        { type: 'INITIAL_PURCHASE', price: amount / 1_000_000, is_family_share: false },
      ]);
    });

    it('row 104: records the price of a quantity without tiers', async () => {
      const { user } = await sold({}, {}, { quantity: 5 });
      expect(await ledgerRows(user)).toMatchObject([{ kind: 'purchase', amount: 9_990_000, quantity: 5 }]);
      expect(await bodies(user)).toMatchObject([{ type: 'INITIAL_PURCHASE', price: 9.99 }]);
    });

    it('row 105: records the sum of the tiers if they have fewer seats than the quantity', async () => {
      const { user } = await sold({ tiers: [{ price: 13_990, quantity: 48 }] }, {}, { quantity: 50 });
      expect(await ledgerRows(user)).toMatchObject([{ kind: 'purchase', amount: 671_520_000, quantity: 50 }]);
    });

    it('row 106: records a free trial without money', async () => {
      const { user } = await sold({ trial: true, tiers: [{ price: 0, quantity: 50 }] });
      expect(await ledger(user)).toEqual([['trial_start', 0]]);
      expect(await state(user)).toEqual(['trialing', 'will_renew', true]);
      expect(await bodies(user)).toMatchObject([
        { type: 'INITIAL_PURCHASE', period_type: 'TRIAL', price: 0 },
      ]);
    });

    it.each([
      ['a negative price', [{ price: -1, quantity: 50 }]],
      ['an amount beyond safe integers', [{ price: 2 ** 52, quantity: 50 }]],
    ])('leaves the amount unknown if the tiers have %s', async (_, priceTiers) => {
      const { user } = await sold({ tiers: S }, {}, { multiSeatInfo: { priceTiers } });
      expect(await ledger(user)).toEqual([['purchase', null]]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await bodies(user)).toMatchObject([{ type: 'INITIAL_PURCHASE', price: null }]);
    });
  });

  describe('of members', () => {
    const member = { isAssigned: true };

    it('row 107: charges a member nothing', async () => {
      const { user: buyer } = await sold({ tiers: S });
      const { user } = await sold({ tiers: S }, member);
      expect(await ledgerRows(user)).toMatchObject([{ kind: 'purchase', amount: 0, ownership: 'assigned' }]);
      expect(await ledger(buyer)).toEqual([['purchase', 699_500_000]]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await bodies(user)).toMatchObject([
        { type: 'INITIAL_PURCHASE', price: 0, is_family_share: true, ownership: 'ASSIGNED' },
      ]);
      expect(await world.subscription(user)).toMatchObject({ ownership: 'family_shared' });
      const { subscriber } = (await world.sdk.get(`/v1/subscribers/${user}`)).body;
      expect(subscriber.subscriptions[monthly.id]).toMatchObject({ ownership_type: 'FAMILY_SHARED' });
    });

    it('row 108: renews a member without a charge', async () => {
      const { subscription, user } = await sold({ tiers: S }, member);
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(subscription.renew());
      expect(await ledger(user)).toEqual([
        ['purchase', 0],
        ['renewal', 0],
      ]);
      expect((await bodies(user)).slice(1)).toMatchObject([
        { type: 'RENEWAL', price: 0, ownership: 'ASSIGNED' },
      ]);
    });

    it.each([
      ['a full refund', 'REFUND', { revocationType: 'REFUND_FULL', revocationReason: 0 }],
      ['the end of sharing', 'REVOKE', { revocationType: 'FAMILY_REVOKE' }],
      ['a reason that is not known', 'REFUND', { revocationReason: 9 }],
    ])('row 109: ends a membership without a refund after %s', async (_, type, more) => {
      const { subscription, user } = await sold({ tiers: S }, member);
      world.clock.advanceMs(DAY_MS);
      Object.assign(subscription.latest, { revocationDate: world.clock.nowMs(), ...more });
      await world.notify(subscription.notification(type, null));
      expect(await ledger(user)).toEqual([['purchase', 0]]);
      expect(await state(user)).toEqual(['expired', 'will_not_renew', false]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/UNKNOWN']);
    });

    it('row 110: charges a member of an organization nothing', async () => {
      const { user } = await sold({}, member, { price: 13_990 });
      expect(await ledgerRows(user)).toMatchObject([{ kind: 'purchase', amount: 0, ownership: 'assigned' }]);
    });

    it("row 111: moves the member's subscription with its transaction, and never the buyer's", async () => {
      const { subscription: bought, user: buyer } = await sold({ tiers: S });
      const { subscription, user } = await sold(
        { tiers: S, originalTransactionId: bought.originalTransactionId },
        member,
      );
      const other = newUser();
      await post(other, subscription.signed());
      expect(await world.subscription(user)).toBeUndefined();
      expect(await state(other)).toEqual(RUNNING);
      expect(await state(buyer)).toEqual(RUNNING);
      expect(await ledger(buyer)).toEqual([['purchase', 699_500_000]]);
    });

    it("row 112: keeps a member with the buyer's original id apart from the buyer", async () => {
      const { subscription: bought, user: buyer } = await sold({ tiers: S });
      const { user } = await sold({ tiers: S, originalTransactionId: bought.originalTransactionId }, member);
      expect(await ledger(buyer)).toEqual([['purchase', 699_500_000]]);
      expect(await world.events(buyer)).toEqual(['INITIAL_PURCHASE']);
      expect(await ledger(user)).toEqual([['purchase', 0]]);
      expect((await world.subscription(user)).id).not.toBe((await world.subscription(buyer)).id);
    });

    const subscriptions = async (user: string): Promise<Json[]> =>
      (await world.backend.get(`${world.path}/customers/${user}/subscriptions`)).body.items;

    it('keeps the one subscription of a member whom an earlier version recorded as a buyer', async () => {
      const subscription = begin({ tiers: S }, member);
      const user = newUser();
      const bought = { inAppOwnershipType: 'PURCHASED', multiSeatInfo: undefined };
      await post(user, subscription.signed({ ...subscription.latest, ...bought }));
      const [{ id }] = (await subscriptions(user)) as [Json];
      expect(await ledger(user)).toEqual([['purchase', 13_990_000]]);
      world.clock.advanceMs(DAY_MS);
      await post(user, subscription.signed());
      expect(await ledger(user)).toEqual([
        ['purchase', 13_990_000],
        ['correction', -13_990_000],
      ]);
      world.clock.advanceMs(29 * DAY_MS);
      await world.notify(subscription.renew());
      expect((await ledger(user)).slice(2)).toEqual([['renewal', 0]]);
      expect(await subscriptions(user)).toMatchObject([
        { id, status: 'active', ownership: 'family_shared', seats: { role: 'member' } },
      ]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('shows the seat of a member whose transaction does not name the seats of the group', async () => {
      const { user } = await sold({}, member);
      const [subscription] = (await subscriptions(user)) as [Json];
      expect(subscription).toMatchObject({
        ownership: 'family_shared',
        seats: { role: 'member', quantity: 1 },
      });
      expect(subscription.seats).not.toHaveProperty('tiers');
      const { user: relative } = await sold({}, { isFamilyMember: true });
      expect(await subscriptions(relative)).toMatchObject([{ ownership: 'family_shared', seats: null }]);
    });

    it("keeps a seat apart from the buyer's own purchase with the same original id", async () => {
      const { subscription: bought, user } = await sold({ tiers: S });
      const seat = begin({ tiers: S, originalTransactionId: bought.originalTransactionId }, member);
      world.clock.advanceMs(1);
      await post(user, seat.signed());
      expect(await subscriptions(user)).toHaveLength(2);
      expect((await ledger(user)).map(([, amount]) => amount)).toEqual([699_500_000, 0]);
    });

    it('rejects extensions of a member', async () => {
      const { user } = await sold({ tiers: S }, member);
      const { id } = await world.subscription(user);
      const answer = await world.backend.post(`${world.path}/subscriptions/${id}/actions/extend`, {
        extend_by_days: 3,
        extend_reason_code: 'other',
      });
      expect(answer).toMatchObject({
        status: 422,
        body: { type: 'unprocessable_entity_error', message: 'assigned seats cannot be extended' },
      });
    });
  });

  describe('added and refunded during a period', () => {
    const four: FakeTier[] = [{ price: 13_990, quantity: 4 }];
    const total = async (user: string): Promise<number> =>
      (await ledger(user)).reduce((sum, [, amount]) => sum + (amount ?? 0), 0);
    const last = async (user: string): Promise<Json> => (await bodies(user)).at(-1) ?? {};
    const seats = async (user: string): Promise<Json> => (await world.subscription(user)).seats;
    /** 50 seats, and 4 more on day 10. */
    const withAddition = async () => {
      const { subscription, user } = await sold({ tiers: S });
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(subscription.addSeats(four));
      const [base, addition] = subscription.transactions;
      return { subscription, user, base: base as Json, addition: addition as Json };
    };
    const revoke = async (
      subscription: FakeSubscription,
      transaction: Json,
      more: Json = {},
    ): Promise<void> => {
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.refund(transaction, more));
    };
    const refundSeats = async (
      subscription: FakeSubscription,
      revoked: number,
      transaction?: Json,
    ): Promise<void> => {
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.revokeSeats(revoked, transaction));
    };

    it('row 113: records added seats as money of the period, without a renewal', async () => {
      const { subscription, user, base } = await withAddition();
      expect(await ledger(user)).toEqual([
        ['purchase', 699_500_000],
        ['proration', 55_960_000],
      ]);
      expect(await state(user)).toEqual(RUNNING);
      expect((await world.subscription(user)).ends_at).toBe(base.expiresDate);
      expect(await seats(user)).toMatchObject({ role: 'purchaser', quantity: 54, revoked: 0 });
      const [bought, change] = await bodies(user);
      expect(bought).toMatchObject({ type: 'INITIAL_PURCHASE', price: 699.5, seats: 50 });
      expect(change).toMatchObject({ type: 'PRODUCT_CHANGE', product_id: monthly.id, price: 0, seats: 54 });
      expect(change).not.toHaveProperty('new_product_id');
      await world.notify(subscription.notification('DID_CHANGE_RENEWAL_PREF', null, base));
      await post(user, subscription.signed());
      expect(await ledger(user)).toHaveLength(2);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
    });

    it('row 114: joins seats that were known before the first transaction of their period', async () => {
      const subscription = begin({ tiers: S });
      world.clock.advanceMs(10 * DAY_MS);
      subscription.addSeats(four);
      const user = newUser();
      await post(user, subscription.signed());
      expect(await bodies(user)).toMatchObject([{ type: 'INITIAL_PURCHASE', price: 55.96 }]);
      world.clock.advanceMs(1);
      await post(user, subscription.signed(subscription.transactions[0]));
      expect((await ledger(user)).map(([, amount]) => amount)).toEqual([55_960_000, 699_500_000]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscription(user)).toMatchObject({
        starts_at: subscription.transactions[0]?.purchaseDate,
        seats: { quantity: 54 },
      });
    });

    it('row 115: ignores transactions that are signed or posted again', async () => {
      const { subscription, user, base, addition } = await withAddition();
      for (const transaction of [base, addition, base]) {
        world.clock.advanceMs(60_000);
        await post(user, subscription.signed(transaction));
      }
      expect(await ledger(user)).toHaveLength(2);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
    });

    it('row 113: records added seats that share the line item of the first transaction', async () => {
      const { subscription, user } = await sold({ tiers: S });
      world.clock.advanceMs(10 * DAY_MS);
      subscription.addSeats(four);
      Object.assign(subscription.latest, {
        webOrderLineItemId: subscription.transactions[0]?.webOrderLineItemId,
      });
      for (let n = 0; n < 2; n++) await post(user, subscription.signed());
      await post(user, subscription.signed(subscription.transactions[0]));
      expect(await ledger(user)).toEqual([
        ['purchase', 699_500_000],
        ['proration', 55_960_000],
      ]);
      await refundSeats(subscription, 2);
      expect((await ledger(user)).slice(2)).toEqual([['refund', -27_980_000]]);
    });

    it('row 116: renews all seats together', async () => {
      const { subscription, user } = await withAddition();
      world.clock.advanceMs(20 * DAY_MS);
      subscription.renewWith([{ price: 13_990, quantity: 54 }]);
      const renewal = subscription.renew();
      delete subscription.latest.additionalTransactionReason;
      await world.notify(renewal);
      expect((await ledger(user)).slice(2)).toEqual([['renewal', 755_460_000]]);
      expect(await last(user)).toMatchObject({ type: 'RENEWAL', price: 755.46, seats: 54 });
    });

    it('row 118: renews with fewer seats', async () => {
      const { subscription, user } = await sold({ tiers: S });
      world.clock.advanceMs(DAY_MS);
      // Row 117.
      await world.notify(subscription.renewWith([{ price: 13_990, quantity: 40 }]));
      expect(await ledger(user)).toHaveLength(1);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await seats(user)).toEqual({
        role: 'purchaser',
        quantity: 50,
        revoked: 0,
        next_quantity: 40,
        tiers: [{ price: expect.objectContaining({ currency: 'USD', gross: 13.99 }), quantity: 50 }],
        invitations: 'apple',
      });
      world.clock.advanceMs(29 * DAY_MS);
      await world.notify(subscription.renew());
      expect((await ledger(user)).slice(1)).toEqual([['renewal', 559_600_000]]);
      expect(await last(user)).toMatchObject({ type: 'RENEWAL', price: 559.6, seats: 40 });
    });

    it('row 119: refunds some seats at their average price and keeps access', async () => {
      const { subscription, user } = await sold({ tiers: S });
      await refundSeats(subscription, 10);
      expect(await ledger(user)).toEqual([
        ['purchase', 699_500_000],
        ['refund', -139_900_000],
      ]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await seats(user)).toMatchObject({ quantity: 40, revoked: 10 });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('row 120: books the difference of a further refund of seats, once', async () => {
      const { subscription, user } = await sold({ tiers: S });
      await refundSeats(subscription, 10);
      await refundSeats(subscription, 10);
      expect(await ledger(user)).toHaveLength(2);
      await refundSeats(subscription, 15);
      expect((await ledger(user)).slice(2)).toEqual([['refund', -69_950_000]]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('row 121: refunds seats at two prices at the average', async () => {
      const { subscription, user } = await sold({ tiers: T });
      await refundSeats(subscription, 2);
      expect((await ledger(user)).slice(1)).toEqual([['refund', -18_480_000]]);
    });

    it('row 122: refunds the whole amount for all seats', async () => {
      const { subscription, user } = await sold({ tiers: U });
      await refundSeats(subscription, 1);
      await refundSeats(subscription, 3);
      expect((await ledger(user)).slice(1)).toEqual([
        ['refund', -9_666_667],
        ['refund', -19_333_333],
      ]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('row 123: returns the rest in a full refund after refunded seats', async () => {
      const { subscription, user } = await sold({ tiers: S });
      await refundSeats(subscription, 10);
      await revoke(subscription, subscription.latest as Json);
      expect((await ledger(user)).slice(2)).toEqual([['refund', -559_600_000]]);
      expect(await total(user)).toBe(0);
      expect((await state(user)).slice(0, 1)).toEqual(['expired']);
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
      ]);
      expect((await bodies(user))[1]).toMatchObject({ price: -559.6, seats: 0 });
    });

    it('row 124: keeps access if only added seats are revoked', async () => {
      const { subscription, user, addition } = await withAddition();
      await revoke(subscription, addition);
      expect((await ledger(user)).slice(2)).toEqual([['refund', -55_960_000]]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await seats(user)).toMatchObject({ quantity: 50, revoked: 4 });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
    });

    it('row 126: ends access when the last transaction of the period is revoked', async () => {
      const { subscription, user, base, addition } = await withAddition();
      await revoke(subscription, base);
      expect((await ledger(user)).slice(2)).toEqual([['refund', -699_500_000]]);
      expect((await state(user)).at(-1)).toBe(true);
      expect(await seats(user)).toMatchObject({ quantity: 4, revoked: 50 });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
      await revoke(subscription, addition);
      expect((await ledger(user)).slice(3)).toEqual([['refund', -55_960_000]]);
      expect((await state(user)).at(-1)).toBe(false);
      expect((await world.events(user)).slice(2)).toEqual([
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
      ]);
      expect((await bodies(user))[2]).toMatchObject({ price: -55.96 });
    });

    it('row 127: reports one cancellation if both transactions are revoked at once', async () => {
      await world.configure(world.keyFields);
      const { subscription, user, base, addition } = await withAddition();
      world.clock.advanceMs(DAY_MS);
      subscription.refund(base);
      subscription.refund(addition);
      await post(user, subscription.signed());
      expect((await ledger(user)).slice(2)).toEqual(
        expect.arrayContaining([
          ['refund', -699_500_000],
          ['refund', -55_960_000],
        ]),
      );
      expect((await world.events(user)).slice(2)).toEqual([
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
      ]);
      expect((await bodies(user))[2]).toMatchObject({ price: -755.46 });
    });

    it('row 128: reverses a refund of seats', async () => {
      const { subscription, user } = await sold({ tiers: S });
      await refundSeats(subscription, 10);
      world.clock.advanceMs(DAY_MS);
      subscription.revokeSeats(0);
      await world.notify(subscription.reverseRefund());
      expect((await ledger(user)).slice(2)).toEqual([['refund_reversal', 139_900_000]]);
      expect(await seats(user)).toMatchObject({ quantity: 50, revoked: 0 });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('row 129: keeps refunds of seats after a reversed full refund', async () => {
      const { subscription, user } = await sold({ tiers: S });
      await refundSeats(subscription, 10);
      await revoke(subscription, subscription.latest as Json);
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.reverseRefund());
      expect((await ledger(user)).slice(3)).toEqual([['refund_reversal', 559_600_000]]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await last(user)).toMatchObject({ type: 'REFUND_REVERSED', price: 559.6 });
    });

    it('row 130: returns the share of a prorated refund, at most what is left', async () => {
      const half = { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 };
      const { subscription, user } = await sold({ tiers: S });
      await revoke(subscription, subscription.latest as Json, half);
      expect((await ledger(user)).slice(1)).toEqual([['refund', -349_750_000]]);
      expect((await bodies(user))[1]).toMatchObject({ type: 'CANCELLATION', price: -349.75 });
      const { subscription: other, user: second } = await sold({ tiers: S });
      await refundSeats(other, 40);
      await revoke(other, other.latest as Json, half);
      expect((await ledger(second)).slice(1)).toEqual([
        ['refund', -559_600_000],
        ['refund', -139_900_000],
      ]);
    });

    it('corrects a purchase of seats that an earlier version recorded at the average price', async () => {
      const { subscription, user } = await sold({}, {}, { price: 13_990 });
      world.clock.advanceMs(DAY_MS);
      Object.assign(subscription.latest, { quantity: 50, multiSeatInfo: { priceTiers: S } });
      await post(user, subscription.signed());
      expect(await ledger(user)).toEqual([
        ['purchase', 13_990_000],
        ['correction', 685_510_000],
      ]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });
  });

  describe('with values that are not known', () => {
    it('row 142: records no amount for an unknown ownership', async () => {
      const { user } = await sold({}, {}, { inAppOwnershipType: 'BORROWED' });
      expect(await ledgerRows(user)).toMatchObject([
        { kind: 'purchase', amount: null, ownership: 'unknown' },
      ]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await bodies(user)).toMatchObject([
        { type: 'INITIAL_PURCHASE', price: null, is_family_share: false },
      ]);
    });

    it('row 143: gives access until the end of a purchase of an unknown type', async () => {
      const { subscription, user } = await sold({}, {}, { type: 'Subscription Bundle' });
      expect(await ledger(user)).toEqual([['purchase', null]]);
      expect((await world.subscription(user)).ends_at).toBe(subscription.latest.expiresDate);
      expect(await bodies(user)).toMatchObject([{ type: 'INITIAL_PURCHASE', price: null }]);
    });

    it('row 134: leaves the price of a part of a bundle unknown', async () => {
      const { user } = await sold({ bundleProductId: 'bundle_m' });
      expect(await ledgerRows(user)).toMatchObject([
        { kind: 'purchase', amount: null, ownership: 'purchased' },
      ]);
      expect(await state(user)).toEqual(RUNNING);
      expect(await bodies(user)).toMatchObject([{ type: 'INITIAL_PURCHASE', price: null }]);
    });

    it('row 144: unlocks nothing for an unknown type without an end, and corrects it once the type is known', async () => {
      const bought = world.store.buy(world.store.account(), fakeProducts.lifetime, 'Subscription Bundle');
      const user = newUser();
      await post(user, world.store.signed(bought.transaction));
      const active = async (): Promise<Json[]> =>
        (await world.backend.get(`${world.path}/customers/${user}/active_entitlements`)).body.items;
      expect(await ledger(user)).toEqual([['one_time', null]]);
      expect(await bodies(user)).toMatchObject([{ type: 'NON_RENEWING_PURCHASE', price: null }]);
      expect(await active()).toEqual([]);
      world.clock.advanceMs(DAY_MS);
      bought.transaction.type = 'Non-Consumable';
      await post(user, world.store.signed(bought.transaction));
      expect(await ledger(user)).toEqual([
        ['one_time', null],
        ['correction', 199_000_000],
      ]);
      expect(await active()).toHaveLength(1);
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE']);
    });
  });
});
