import { FakePaddle, paddlePrices } from '../../../test/support/fake-paddle/fake-paddle.js';
import { DAY_MS, PaddleReader, START_MS } from '../../../test/support/fake-paddle/paddle-reader.js';
import { ManualClock } from '../../kernel/index.js';
import { oneTimeFacts } from './one-time-facts.js';
import type { PaddleTransaction } from './paddle-objects.js';
import { subscriptionFacts } from './subscription-facts.js';

const { monthly, lifetime } = paddlePrices;

describe('taxes of Paddle transactions', () => {
  it.each([
    ['on top of the price', { amount: 1_000, tax: 210 }, 12_100_000],
    ['included in the price', { amount: 1_210, taxIncluded: 210 }, 12_100_000],
  ])('records a tax that is %s', (_, item, amountMicros) => {
    const reader = new PaddleReader(new ManualClock(START_MS), { items: [{ price: monthly, ...item }] });
    const [period] = Object.values(subscriptionFacts(reader.history, START_MS + DAY_MS)?.facts.periods ?? {});
    expect([period?.value.price.amountMicros, period?.value.taxMicros]).toEqual([amountMicros, 2_100_000]);
  });

  it('records a tax of zero', () => {
    const reader = new PaddleReader(new ManualClock(START_MS));
    const [period] = Object.values(subscriptionFacts(reader.history, START_MS)?.facts.periods ?? {});
    expect(period?.value.taxMicros).toBe(0);
  });

  it('divides the tax among items that were sold together', () => {
    const paddle = new FakePaddle(new ManualClock(START_MS));
    const sold = paddle.sell([
      { price: lifetime, amount: 1_000, tax: 210 },
      { price: lifetime, amount: 500, tax: 105 },
    ]);
    const facts = oneTimeFacts(sold as unknown as PaddleTransaction, START_MS);
    expect(facts.map((one) => one.facts.purchase?.value.taxMicros)).toEqual([2_100_000, 1_050_000]);
  });

  it('records none that the transaction does not name', () => {
    const paddle = new FakePaddle(new ManualClock(START_MS));
    const sold = paddle.sell([{ price: lifetime }]) as unknown as PaddleTransaction;
    delete sold.details?.totals.tax;
    expect(oneTimeFacts(sold, START_MS)[0]?.facts.purchase?.value).not.toHaveProperty('taxMicros');
  });
});
