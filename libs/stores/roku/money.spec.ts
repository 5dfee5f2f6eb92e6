import { noOneTimeFacts, type OneTimeFacts } from '../../engine/index.js';
import { rokuProducts } from '../../../test/support/fake-roku/fake-roku.js';
import type {
  FakeRokuSubscription,
  RokuMessage,
} from '../../../test/support/fake-roku/fake-roku-subscription.js';
import { RokuWatch } from '../../../test/support/roku-watch.js';
import { oneTimeFacts } from './one-time-facts.js';
import { noHints } from './report.js';
import type { RokuTransaction } from './transaction.js';

const MICROS = 9_990_000;
const renewing = { status: 'active', renews: 'will_renew', access: true };

async function bought(watch: RokuWatch): Promise<FakeRokuSubscription> {
  const life = watch.roku.subscribe(rokuProducts.monthly);
  await watch.post(life.id);
  return life;
}

describe('money of Roku subscriptions', () => {
  const watch = new RokuWatch(Date.UTC(2026, 0, 1));

  beforeAll(() => watch.start());
  beforeEach(() => watch.reset());
  afterAll(() => watch.close());

  const back = ['refund', -MICROS];
  const money: [string, ((life: FakeRokuSubscription) => Record<string, unknown>)[], unknown[]][] = [
    ['a refund', [(life) => life.refund()], [back]],
    [
      'two refunds of a part',
      [(life) => life.refund(4), (life) => life.refund(1)],
      [
        ['refund', -4_000_000],
        ['refund', -1_000_000],
      ],
    ],
    ['a refund of more than was paid', [(life) => life.refund(90)], [back]],
    ['a refund that ends access', [(life) => life.refund(9.99, { isUnauthorized: true })], [back]],
    ['a refund, then a cancellation', [(life) => life.refund(), (life) => life.shut()], [back]],
    ['a chargeback', [(life) => life.news('Chargeback', { total: 9.99 })], [back]],
    [
      'a chargeback that was reversed',
      [(life) => life.news('Chargeback', { total: 9.99 }), (life) => life.news('ChargebackReversed')],
      [back, ['refund_reversal', MICROS]],
    ],
    ['a credit', [(life) => life.news('Credit', { total: 3 })], []],
  ];

  it.each(money)('balances the ledger of %s', async (_, steps, rows) => {
    const life = await bought(watch);
    for (const [index, happens] of steps.entries()) {
      watch.on(5 + index);
      const message = happens(life);
      await watch.push(message);
      // Roku sends it again.
      await watch.push(message);
    }
    expect(watch.ledger).toEqual([['purchase', MICROS], ...rows]);
  });

  it.each([
    ['in reverse', (first: RokuMessage, second: RokuMessage) => [second, first]],
    [
      'in reverse, and both again',
      (first: RokuMessage, second: RokuMessage) => [second, first, second, first],
    ],
    ['in their order', (first: RokuMessage, second: RokuMessage) => [first, second]],
  ])('counts each of two refunds once if their notifications arrive %s', async (_, order) => {
    const life = await bought(watch);
    watch.on(5);
    const first = life.refund(4);
    watch.on(6);
    const second = life.refund(1);
    watch.on(7);
    for (const message of order(first, second)) await watch.push(message);
    const [paid, ...refunds] = watch.ledger;
    expect(paid).toEqual(['purchase', MICROS]);
    expect(refunds.map(([, micros]) => micros).toSorted()).toEqual([-1_000_000, -4_000_000]);
  });

  it('does not count a chargeback again that is sent again after its reversal', async () => {
    const life = await bought(watch);
    watch.on(5);
    const chargeback = life.news('Chargeback', { total: 9.99 });
    await watch.push(chargeback);
    watch.on(6);
    await watch.push(life.news('ChargebackReversed'));
    await watch.push(chargeback);
    expect(watch.ledger).toEqual([['purchase', MICROS], back, ['refund_reversal', MICROS]]);
  });

  describe('a renewal of which no notification came', () => {
    const found = async (): Promise<FakeRokuSubscription> => {
      const life = await bought(watch);
      watch.on(30);
      life.renew();
      watch.on(30.5);
      await watch.poll(life);
      return life;
    };

    it('appears in a poll, and not twice when the notification comes', async () => {
      const life = await found();
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 60 });
      watch.on(31);
      await watch.push(life.bought());
      await watch.poll(life);
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 60 });
      const sum = watch.ledger.reduce((total, [, micros]) => total + (micros ?? 0), 0);
      expect(sum).toBe(2 * MICROS);
    });

    it('does not hide the next one', async () => {
      const life = await found();
      watch.on(60);
      await watch.push(life.renew());
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL']);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 90 });
    });

    it('counts once after the notification', async () => {
      const life = await bought(watch);
      watch.on(30);
      await watch.push(life.renew());
      watch.on(31);
      await watch.poll(life);
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });
  });
});

describe('money of a one-time purchase from Roku', () => {
  const sold: RokuTransaction = {
    id: 'a1',
    key: 'a1',
    originalId: 'a1',
    subscriptionKey: 'a1',
    productId: 'coins',
    channelId: null,
    purchasedAtMs: 1,
    expiresAtMs: null,
    isEntitled: true,
    isCancelled: false,
    replacedIds: [],
    change: null,
    status: null,
    isFreeTrial: false,
    totalMicros: MICROS,
    currency: 'USD',
    quantity: 1,
    customerId: null,
    partnerReferenceId: null,
  };
  const after = (known: OneTimeFacts, key: string, amountMicros: number, atMs: number): OneTimeFacts => {
    const moneyBack = { key, ofKey: 'a1', amountMicros, atMs, endsAccess: true };
    const { refund, ...facts } = oneTimeFacts(sold, { ...noHints, moneyBack }, 10, known);
    return { ...facts, refund: refund ?? known.refund };
  };

  it('adds up refunds that are reported in any order', () => {
    const part = after(noOneTimeFacts, 'late', 4_000_000, 6);
    const both = after(after(part, 'early', 5_990_000, 5), 'late', 4_000_000, 6);
    expect(both.refund?.value).toMatchObject({ refundedAtMs: 6, quantity: 1 });
  });

  it('stays refunded in full when another refund is reported', () => {
    const whole = after(noOneTimeFacts, 'one', MICROS, 5);
    expect(after(whole, 'two', 1_000_000, 6).refund).toEqual(whole.refund);
  });
});
