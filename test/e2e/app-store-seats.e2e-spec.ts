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
       WHERE e.project_id = $1 AND a.app_user_id = $2 ORDER BY e.created_at`,
      [world.projectId, user],
    );
    return rows.map(({ body }: Json) => (typeof body === 'string' ? (JSON.parse(body) as Json) : body));
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
