import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import { accessEnds, countedValues, expectOnlyCounted, madeUp } from '../support/made-up-values.js';

const DAY_MS = 86_400_000;

describe('values of the App Store that the server does not know', () => {
  let world: AppStoreWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  beforeEach(() => world.clock.advanceMs(1_000));
  afterAll(() => world.close());

  const buy = async (): Promise<{ user: string; life: FakeSubscription }> => {
    const user = `user-${++users}`;
    const life = world.store.subscribe(world.store.account(), fakeProducts.monthly);
    expect((await world.post(user, life.signed())).status).toBe(200);
    world.clock.advanceMs(1_000);
    return { user, life };
  };
  const inboxState = async (kind: string): Promise<string | undefined> => {
    const [row] = await world.server.dataSource.query<{ state: string }[]>(
      'SELECT state FROM store_notifications WHERE kind = $1',
      [kind],
    );
    return row?.state;
  };

  /** Fields with numbers; the others have text. */
  const numeric = [
    'status',
    'expirationIntent',
    'autoRenewStatus',
    'priceIncreaseStatus',
    'offerType',
    'revocationReason',
  ];
  const madeUpFor = (field: string): string | number =>
    numeric.includes(field) ? 9_000 + ++users : madeUp();
  const refunds = async (user: string): Promise<(number | null)[]> => {
    const rows = await world.server.dataSource.query<{ amount: number | null }[]>(
      `SELECT t.amount_micros::float8 AS amount FROM store_transactions t
       JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
       WHERE t.project_id = $1 AND a.app_user_id = $2 AND t.kind = 'refund' ORDER BY t.recorded_at, t.id`,
      [world.projectId, user],
    );
    return rows.map(({ amount }) => amount);
  };

  it('counts a made-up notificationType and does nothing else', async () => {
    const { user, life } = await buy();
    const sent = { field: 'notificationType', value: madeUp() };
    await expectOnlyCounted(world, user, sent, () => world.notify(life.notification(sent.value, null)));
    expect(await inboxState(sent.value)).toBe('ignored_type');
  });

  it('applies the signed data of a notification of unknown type', async () => {
    const { user, life } = await buy();
    world.clock.advanceMs(29 * DAY_MS);
    life.renew();
    await world.notify(life.notification('NEW_KIND_OF_RENEWAL', null));
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  it.each(['UNCLAIM_SEATS', 'INCREASE_QUANTITY', 'DECREASE_QUANTITY'])(
    'processes %s without any effect',
    async (type) => {
      const { user, life } = await buy();
      const before = await world.subscription(user);
      await world.notify(life.notification(type, null));
      expect(await inboxState(type)).toBe('processed');
      expect(await world.subscription(user)).toEqual(before);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await countedValues(world, type)).toEqual([]);
    },
  );

  describe('in notifications', () => {
    it.each(['REFUND', 'PRICE_INCREASE', 'DID_CHANGE_RENEWAL_STATUS'])(
      'counts a made-up subtype of %s and does nothing else',
      async (type) => {
        const { user, life } = await buy();
        const value = madeUp();
        await expectOnlyCounted(world, user, { field: 'subtype', value }, () =>
          world.notify(life.notification(type, value)),
        );
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      },
    );

    it.each([
      ['status', 'DID_RENEW', []],
      ['consumptionRequestReason', 'CONSUMPTION_REQUEST', ['REFUND_REQUESTED']],
    ])('counts a made-up %s, which has no effect', async (field, type, events) => {
      const { user, life } = await buy();
      const value = madeUpFor(field);
      await expectOnlyCounted(world, user, { field, value: String(value) }, () =>
        world.notify(life.notification(type, null, life.latest, { [field]: value })),
      );
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', ...events]);
    });
  });

  describe('in renewal information', () => {
    it.each(['expirationIntent', 'autoRenewStatus', 'priceIncreaseStatus'])(
      'counts a made-up %s and does nothing else',
      async (field) => {
        const { user, life } = await buy();
        const before = await world.subscription(user);
        const value = madeUpFor(field);
        life.renewalChanges = { [field]: value };
        const sent = life.notification('DID_CHANGE_RENEWAL_PREF', null);
        await expectOnlyCounted(world, user, { field, value: String(value) }, () => world.notify(sent));
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
        expect(await world.subscription(user)).toEqual(before);
      },
    );

    it('keeps a known cancellation if the auto-renew status is unknown', async () => {
      const { user, life } = await buy();
      await world.notify(life.cancel());
      world.clock.advanceMs(1_000);
      life.renewalChanges = { autoRenewStatus: 9 };
      await world.notify(life.notification('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'));
      expect(await world.subscription(user)).toMatchObject({ auto_renewal_status: 'will_not_renew' });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });
  });

  describe('in transactions', () => {
    const fields = [
      'type',
      'inAppOwnershipType',
      'transactionReason',
      'offerType',
      'offerDiscountType',
      'revocationType',
      'revocationReason',
      'billingPlanType',
      'additionalTransactionReason',
    ];

    it.each(fields)('counts a made-up %s of a known purchase and does nothing else', async (field) => {
      const { user, life } = await buy();
      const value = madeUpFor(field);
      Object.assign(life.latest, { [field]: value });
      await expectOnlyCounted(world, user, { field, value: String(value) }, () =>
        world.notify(life.notification('DID_RENEW', null)),
      );
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
    });

    it.each(fields)('counts a made-up %s of a receipt and gives access until its end', async (field) => {
      const user = `user-${++users}`;
      const life = world.store.subscribe(world.store.account(), fakeProducts.monthly);
      const value = madeUpFor(field);
      Object.assign(life.latest, { [field]: value });
      expect((await world.post(user, life.signed())).status).toBe(200);
      expect(await countedValues(world, String(value))).toMatchObject([{ field, count: 1 }]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      const ends = await accessEnds(world, user);
      expect(ends.map((end) => Date.parse(end ?? ''))).toEqual([
        Math.floor(Number(life.latest.expiresDate) / 1_000) * 1_000,
      ]);
    });
  });

  describe('in answers of the App Store', () => {
    beforeAll(() => world.configure(world.keyFields));
    beforeEach(() => {
      world.api.interfere = () => undefined;
    });

    /** Answers the status of a subscription with another value. */
    const answerStatus = (life: FakeSubscription, status: unknown): void => {
      const lastTransactions = [
        {
          status,
          originalTransactionId: life.originalTransactionId,
          signedTransactionInfo: life.signed(),
          signedRenewalInfo: life.signedRenewal(),
        },
      ];
      const { bundleId, appAppleId } = world.store;
      const head = { bundleId, appAppleId, environment: 'Production' };
      world.api.interfere = ({ path }) =>
        path.startsWith('/inApps/v1/subscriptions/')
          ? { status: 200, body: { ...head, data: [{ lastTransactions }] } }
          : undefined;
    };

    it('counts a made-up status and does nothing else', async () => {
      const { user, life } = await buy();
      const value = madeUpFor('status');
      answerStatus(life, value);
      const sent = { field: 'status', value: String(value) };
      await expectOnlyCounted(world, user, sent, () => world.post(user, life.signed()));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
    });

    it('row 138: looks up the transaction of a refund that names none, and counts it', async () => {
      const { user, life } = await buy();
      const refund = life.notification('REFUND', null);
      life.refund();
      await world.notify(refund);
      expect(await countedValues(world, '')).toMatchObject([
        { field: 'refund_without_revocation', count: 1 },
      ]);
      world.clock.advanceMs(60_000);
      await world.upkeep();
      expect(await refunds(user)).toEqual([-9_990_000]);
    });
  });

  describe('about revocations', () => {
    const END_OF_ACCESS = ['expired', 'will_not_renew', false];
    const state = async (user: string) => {
      const { status, auto_renewal_status, gives_access } = await world.subscription(user);
      return [status, auto_renewal_status, gives_access];
    };
    const lastPrice = async (user: string, type: string): Promise<unknown> => {
      const [row] = await world.server.dataSource.query(
        `SELECT e.body FROM events e
         JOIN customer_aliases a ON a.project_id = e.project_id AND a.customer_id = e.customer_id
         WHERE e.project_id = $1 AND a.app_user_id = $2 AND e.type = $3`,
        [world.projectId, user, type],
      );
      return (typeof row.body === 'string' ? JSON.parse(row.body) : row.body).price;
    };

    it('row 139: ends access for an unknown reason without a refund', async () => {
      const { user, life } = await buy();
      Object.assign(life.latest, { revocationDate: world.clock.nowMs(), revocationReason: 7 });
      expect((await world.post(user, life.signed())).status).toBe(200);
      expect(await state(user)).toEqual(END_OF_ACCESS);
      expect(await refunds(user)).toEqual([]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/UNKNOWN']);
      expect(await countedValues(world, '7')).toMatchObject([{ field: 'revocationReason' }]);
    });

    it.each([
      ['an unknown amount', {}, null, null],
      ['the stated share', { revocationPercentage: 40_000 }, -3_996_000, -4],
    ])('row 140: refunds %s for an unknown type', async (_, more, amount, price) => {
      const { user, life } = await buy();
      const revocationType = madeUp();
      await world.notify(life.refund(life.latest, { revocationType, ...more }));
      expect(await refunds(user)).toEqual([amount]);
      expect((await state(user)).at(-1)).toBe(false);
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
      ]);
      expect(await lastPrice(user, 'CANCELLATION')).toBe(price);
      expect(await countedValues(world, revocationType)).toMatchObject([{ field: 'revocationType' }]);
    });

    it('row 141: refunds with an unknown subtype only what is signed', async () => {
      const { user, life } = await buy();
      const subtype = madeUp();
      await world.notify(life.notification('REFUND', subtype));
      expect(await refunds(user)).toEqual([]);
      expect(await state(user)).toEqual(['active', 'will_renew', true]);
      expect(await countedValues(world, subtype)).toMatchObject([{ field: 'subtype', count: 1 }]);
      life.refund();
      world.clock.advanceMs(1_000);
      await world.notify(life.notification('REFUND', subtype));
      expect(await refunds(user)).toEqual([-9_990_000]);
    });
  });

  it('refuses data of an unknown environment and counts it', async () => {
    const { life } = await buy();
    const environment = madeUp();
    const answer = await world.post(`user-${++users}`, life.signed({ ...life.latest, environment }));
    expect([answer.status, answer.body.code]).toEqual([400, 7103]);
    expect(await countedValues(world, environment)).toMatchObject([{ field: 'environment', count: 1 }]);
  });
});
