import { FakePaddle, paddlePrices } from '../../../test/support/fake-paddle/fake-paddle.js';
import { DAY_MS, PaddleReader, START_MS } from '../../../test/support/fake-paddle/paddle-reader.js';
import { applyOneTime, newOneTimePurchase, type SubscriptionState } from '../../engine/index.js';
import { ManualClock } from '../../kernel/index.js';
import { oneTimeFacts } from './one-time-facts.js';
import type { PaddleTransaction } from './paddle-objects.js';
import { subscriptionFacts } from './subscription-facts.js';

const { yearly, plus, extra, coins } = paddlePrices;

describe('what Paddle says, row by row', () => {
  let clock: ManualClock;
  const begin = (start: ConstructorParameters<typeof PaddleReader>[1] = {}): PaddleReader =>
    new PaddleReader(clock, start);
  const bought = (start: ConstructorParameters<typeof PaddleReader>[1] = {}): PaddleReader => {
    const reader = begin(start);
    reader.read();
    return reader;
  };
  const failed = ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];

  beforeEach(() => {
    clock = new ManualClock(START_MS);
  });

  it('P1: the first period is paid', () => {
    const reader = begin();
    expect(reader.read()).toEqual(['INITIAL_PURCHASE']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    expect(reader.gross).toBe(9.99);
    expect(reader.read()).toEqual([]);
  });

  it('P1: an invoice that is not paid gives nothing yet', () => {
    const reader = begin({ collection: 'manual', status: 'billed' });
    expect(reader.read()).toEqual([]);
    expect(reader.now).toEqual(['expired', 'will_not_renew', false, 30]);
    expect(reader.gross).toBe(0);
    reader.to(3).paddle.pay(reader.life.latest);
    expect(reader.read()).toEqual(['INITIAL_PURCHASE']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    expect(reader.gross).toBe(9.99);
  });

  it.each(['draft', 'ready', 'past_due', 'billed'])('ignores a first payment that is %s', (status) => {
    expect(subscriptionFacts(begin({ status }).history, START_MS)).toBeNull();
  });

  it('P2: a trial', () => {
    const reader = begin({ trialDays: 7 });
    expect(reader.read()).toEqual(['INITIAL_PURCHASE']);
    expect(reader.now).toEqual(['trialing', 'will_renew', true, 7]);
    expect(reader.lastEvents[0]).toMatchObject({ periodType: 'trial', price: { amountMicros: 0 } });
  });

  it('P3: the renewal is paid', () => {
    const reader = bought();
    reader.to(30).life.renew();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 60]);
    expect(reader.gross).toBe(19.98);
  });

  it('P3: the renewal after a trial is its conversion', () => {
    const reader = bought({ trialDays: 7 });
    reader.to(7).life.renew();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.lastEvents[0]).toMatchObject({ isTrialConversion: true, periodType: 'normal' });
    expect(reader.now).toEqual(['active', 'will_renew', true, 37]);
  });

  it('P4: the period moved, and its payment is awaited for two hours', () => {
    const reader = bought();
    reader.to(30).life.moveOn();
    expect(reader.read()).toEqual([]);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30.083]);
    expect(reader.gross).toBe(9.99);
    reader.to(30.07).life.collect();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 60]);
  });

  it('P4: after two hours it is a billing issue', () => {
    const reader = bought();
    reader.to(30).life.moveOn();
    reader.read();
    reader.to(30.09);
    expect(reader.pass()).toEqual([]);
    expect(reader.read()).toEqual(failed);
    expect(reader.now).toEqual(['in_grace_period', 'will_renew', true, 60]);
  });

  it('P5, P6: a scheduled cancellation, and its removal', () => {
    const reader = bought();
    reader.to(10).life.cancel();
    expect(reader.read()).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(reader.now).toEqual(['active', 'will_not_renew', true, 30]);
    reader.to(12).life.uncancel();
    expect(reader.read()).toEqual(['UNCANCELLATION']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
  });

  it('P7: canceled at the end of the period, and at once', () => {
    const reader = bought();
    reader.to(10).life.cancel();
    reader.read();
    reader.to(30).life.end();
    expect(reader.read()).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(reader.now).toEqual(['expired', 'will_not_renew', false, 30]);
    clock = new ManualClock(START_MS);
    const other = bought();
    other.to(10).life.end();
    expect(other.read()).toEqual(['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE']);
    expect(other.now).toEqual(['expired', 'will_not_renew', false, 10]);
  });

  it('P8, P9: past due is grace until thirty days after what was paid; then recovered', () => {
    const reader = bought();
    reader.to(30).life.fail();
    expect(reader.read()).toEqual(failed);
    expect(reader.now).toEqual(['in_grace_period', 'will_renew', true, 60]);
    expect(reader.gross).toBe(9.99);
    reader.to(35).life.collect();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 60]);
    expect(reader.gross).toBe(19.98);
  });

  it('P8: thirty days are the most', () => {
    const reader = bought();
    reader.to(30).life.fail();
    reader.read();
    expect(reader.to(60.01).pass()).toEqual(['EXPIRATION/BILLING_ERROR']);
    expect(reader.now).toEqual(['in_billing_retry', 'will_renew', false, 60]);
  });

  it('P10: given up by Paddle', () => {
    const reader = bought();
    reader.to(30).life.fail();
    reader.read();
    reader.to(45).life.end();
    expect(reader.read()).toEqual(['EXPIRATION/BILLING_ERROR']);
    expect(reader.now).toEqual(['expired', 'will_not_renew', false, 45]);
  });

  it('P11: paused by Paddle for want of payment', () => {
    const reader = bought();
    reader.to(30).life.fail();
    reader.read();
    reader.to(45).life.pause();
    expect(reader.read()).toEqual(['EXPIRATION/BILLING_ERROR']);
    expect(reader.now).toEqual(['paused', 'will_renew', false, 45]);
  });

  it('P12, P13, P14: a pause ahead, begun, and ended with a charge', () => {
    const reader = bought();
    reader.to(10).life.schedulePause(START_MS + 50 * DAY_MS);
    expect(reader.read()).toEqual(['SUBSCRIPTION_PAUSED']);
    expect(reader.lastEvents[0]).toMatchObject({ autoResumeAtMs: START_MS + 50 * DAY_MS });
    expect(reader.now).toEqual(['active', 'will_pause', true, 30]);
    reader.to(30).life.pause();
    expect(reader.read()).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED']);
    expect(reader.now).toEqual(['paused', 'will_renew', false, 30]);
    reader.to(50).life.resume();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 80]);
  });

  it('P15: a pause that ends within the paid period reopens access without an event', () => {
    const reader = bought();
    reader.to(10).life.pause();
    expect(reader.read()).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED']);
    reader.to(12).life.continue([START_MS, START_MS + 30 * DAY_MS]);
    expect(reader.read()).toEqual([]);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    reader.to(20).life.end();
    expect(reader.read()).toEqual(['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE']);
  });

  it('P16: another price in the same period; the difference is money of the period', () => {
    const reader = bought();
    reader.to(10).life.exchange(plus, 200);
    expect(reader.read()).toEqual(['PRODUCT_CHANGE']);
    expect(reader.lastEvents[0]).toMatchObject({ newProductId: plus.product });
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    expect(reader.gross).toBe(11.99);
    reader.to(30).life.renew();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.gross).toBe(24.98);
  });

  it('P17: another price with a new period', () => {
    const reader = bought();
    reader.to(10).life.changeTo(yearly);
    expect(reader.read()).toEqual(['PRODUCT_CHANGE', 'RENEWAL']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 375]);
  });

  it.each(['refund', 'chargeback'])('P18: a full %s of the latest payment ends access', (action) => {
    const reader = bought();
    reader.to(5);
    reader.paddle.adjust(reader.life.latest, action);
    expect(reader.read()).toEqual(['CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT']);
    expect(reader.lastEvents[0]).toMatchObject({ price: { amountMicros: -9_990_000 } });
    expect(reader.now).toEqual(['expired', 'will_renew', false, 5]);
    expect(reader.gross).toBe(0);
  });

  it('P19: of an older one, only money', () => {
    const reader = bought();
    const { latest: older } = reader.life;
    reader.to(30).life.renew();
    reader.read();
    reader.to(35).paddle.adjust(older);
    expect(reader.read()).toEqual([]);
    expect(reader.now).toEqual(['active', 'will_renew', true, 60]);
    expect(reader.gross).toBe(9.99);
  });

  it.each([
    ['a part', 'refund', 400],
    ['a credit', 'credit', 400],
    ['a credit of all', 'credit', undefined],
  ])('P20: %s is only money', (_, action, amount) => {
    const reader = bought();
    reader.to(5).paddle.adjust(reader.life.latest, action, { amount });
    expect(reader.read()).toEqual([]);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    expect(reader.gross).toBeCloseTo(9.99 - (amount ?? 999) / 100);
  });

  it.each([
    ['refund', 'pending_approval'],
    ['refund', 'rejected'],
    ['chargeback_warning', 'approved'],
  ])('P21: a %s that is %s moves nothing', (action, status) => {
    const reader = bought();
    reader.to(5).paddle.adjust(reader.life.latest, action, { status });
    expect(reader.read()).toEqual([]);
    expect(reader.gross).toBe(9.99);
  });

  it('P22: a chargeback that was reversed gives access back', () => {
    const reader = bought();
    reader.to(5).paddle.adjust(reader.life.latest, 'chargeback');
    reader.read();
    reader.to(8).paddle.adjust(reader.life.latest, 'chargeback_reverse');
    expect(reader.read()).toEqual(['REFUND_REVERSED']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    expect(reader.gross).toBe(9.99);
  });

  it('P22: so does a refund that did not stand', () => {
    const reader = bought();
    reader.to(5).paddle.adjust(reader.life.latest);
    reader.read();
    reader.to(8).paddle.decide(reader.life.latest, 'reversed');
    expect(reader.read()).toEqual(['REFUND_REVERSED']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
  });

  it('P23: what was sold once, and refunded', () => {
    const paddle = new FakePaddle(clock);
    const sold = paddle.sell([{ price: coins }]);
    let purchase = newOneTimePurchase({
      id: 'p',
      store: 'paddle',
      environment: 'production',
      purchaseKey: sold.id,
    });
    const read = (): [events: string[], ledger: (number | null)[]] => {
      clock.advanceMs(DAY_MS);
      const atMs = clock.nowMs();
      const [item] = oneTimeFacts(structuredClone(sold) as unknown as PaddleTransaction, atMs);
      if (!item) throw new Error('nothing was sold');
      const change = applyOneTime(purchase, { atMs, facts: item.facts });
      ({ purchase } = change);
      return [change.events.map(({ type }) => type), change.ledger.map(({ price }) => price.amountMicros)];
    };
    expect(read()).toEqual([['NON_RENEWING_PURCHASE'], [990_000]]);
    expect(read()).toEqual([[], []]);
    paddle.adjust(sold);
    expect(read()).toEqual([['CANCELLATION'], [-990_000]]);
  });

  it('P24: a charge beside the subscription is a purchase of its own', () => {
    const reader = bought();
    const charge = reader.to(5).life.charge(coins);
    const reported = subscriptionFacts(reader.history, clock.nowMs());
    expect(reader.read()).toEqual([]);
    expect(reader.gross).toBe(9.99);
    expect(reported?.bought.map(({ key }) => key)).toEqual([charge.id]);
    const facts = reported?.bought[0]?.facts;
    if (!facts) throw new Error('nothing was bought');
    const identity = { id: 'p', store: 'paddle', environment: 'production', purchaseKey: charge.id } as const;
    const { events, ledger } = applyOneTime(newOneTimePurchase(identity), { atMs: clock.nowMs(), facts });
    expect(events.map(({ type }) => type)).toEqual(['NON_RENEWING_PURCHASE']);
    expect(ledger.map(({ kind, price }) => [kind, price.amountMicros])).toEqual([['one_time', 990_000]]);
  });

  it('P25: the seller moved the next billing date; the end stays when Paddle shows it no more', () => {
    const reader = bought();
    reader.to(10).life.extend(14);
    expect(reader.read()).toEqual(['SUBSCRIPTION_EXTENDED']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 44]);
    reader.to(20).life.cancel();
    reader.read();
    reader.to(44).life.end();
    expect(reader.read()).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(reader.now).toEqual(['expired', 'will_not_renew', false, 44]);
  });

  it('P26: parts that add up to all are a full refund', () => {
    const reader = bought();
    reader.to(5).paddle.adjust(reader.life.latest, 'refund', { amount: 500 });
    expect(reader.read()).toEqual([]);
    reader.to(6).paddle.adjust(reader.life.latest, 'refund', { amount: 499 });
    expect(reader.read()).toEqual(['CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT']);
    expect(reader.now).toEqual(['expired', 'will_renew', false, 6]);
    expect(reader.gross).toBeCloseTo(0);
  });

  it('items beside the first are add-ons with their part of the payment', () => {
    const reader = begin({ others: [extra] });
    expect(reader.read()).toEqual(['INITIAL_PURCHASE']);
    expect(reader.gross).toBe(12.99);
    expect(reader.lastEvents[0]?.items).toMatchObject([
      { type: 'base', price: { amountMicros: 9_990_000 } },
      { type: 'addon', storeProductId: extra.product, price: { amountMicros: 3_000_000 } },
    ]);
    reader.to(10).life.others = [];
    expect(reader.read()).toEqual(['PRODUCT_CHANGE']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
  });

  it('records a period of unknown price for an imported subscription until Paddle bills', () => {
    const reader = begin();
    reader.paddle.transactions.length = 0;
    reader.life.importMeta = { imported_from: 'elsewhere', external_id: '1' };
    expect(reader.read()).toEqual(['INITIAL_PURCHASE']);
    expect(reader.now).toEqual(['active', 'will_renew', true, 30]);
    expect(reader.ledger[0]?.price.amountMicros).toBeNull();
    reader.to(30).life.renew();
    expect(reader.read()).toEqual(['RENEWAL']);
    expect(reader.gross).toBe(9.99);
  });

  it('keeps the time when a cancellation was first seen', () => {
    const reader = bought();
    reader.to(10).life.cancel();
    reader.read();
    reader.to(30).life.end();
    reader.read();
    const expired = reader.lastEvents[0];
    expect(expired?.occurredAtMs).toBe(START_MS + 30 * DAY_MS);
    expect((reader as unknown as { state: SubscriptionState }).state.unsubscribeAtMs).toBe(
      START_MS + 10 * DAY_MS,
    );
  });
});
