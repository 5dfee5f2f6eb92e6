import { rokuProducts } from '../../../test/support/fake-roku/fake-roku.js';
import type { FakeRokuSubscription } from '../../../test/support/fake-roku/fake-roku-subscription.js';
import { RokuWatch } from '../../../test/support/roku-watch.js';

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

  it.each(money)('the ledger of %s', async (_, steps, rows) => {
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

  describe('a renewal of which no notification came', () => {
    const found = async (): Promise<FakeRokuSubscription> => {
      const life = await bought(watch);
      watch.on(30);
      life.renew();
      watch.on(30.5);
      await watch.poll(life);
      return life;
    };

    it('is found by a poll, and is no second one when the notification comes', async () => {
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

    it('after the notification, is found no second time', async () => {
      const life = await bought(watch);
      watch.on(30);
      await watch.push(life.renew());
      watch.on(31);
      await watch.poll(life);
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });
  });
});
