import type { Json } from '../support/api-client.js';
import { coins, lifetime, monthly, type PaddleWorld, startPaddleWorld } from '../support/arrange-paddle.js';
import { type FakeItem, paddlePrices } from '../support/fake-paddle/fake-paddle.js';
import { invoiceFigures } from '../support/invoice-figures.js';

const { setUp, book } = paddlePrices;
const month = { price: monthly };

describe('a sale whose fee Paddle reports after the payment', () => {
  let world: PaddleWorld;
  let count = 0;
  const newAppUserId = (): string => `user-${++count}`;
  const shortly = (): void => world.clock.advanceMs(2_000);

  beforeAll(async () => {
    world = await startPaddleWorld();
  });
  afterAll(() => world.close());

  const revenue = async (user: string): Promise<{ gross: number; commission: number }> => {
    const { items } = (await world.backend.get(`${world.path}/transactions?limit=1000`)).body;
    const own = (items as Json[]).filter(({ customer_id: id }) => id === user);
    const sum = (part: string): number =>
      own.reduce((total, { revenue_in_usd: row }) => total + (row?.[part] as number), 0);
    return { gross: sum('gross'), commission: sum('commission') };
  };
  const sold = async (items: FakeItem[], status = 'paid') => {
    const user = newAppUserId();
    const life = world.paddle.subscribe(monthly, { items, status });
    expect((await world.post(user, life.id)).status).toBe(200);
    shortly();
    return { user, life };
  };

  it.each<[string, FakeItem[], number, number]>([
    ['a subscription', [month], 9.99, 1],
    ['a subscription with a setup fee', [month, { price: setUp }], 34.99, 2.25],
    ['a mixed checkout', [month, { price: book }], 34.99, 2.25],
  ])('corrects the commission of %s once', async (_, items, gross, commission) => {
    const { user, life } = await sold(items);
    expect(await revenue(user)).toEqual({ gross: expect.closeTo(gross, 2), commission: 0 });
    const completed = world.paddle.pay(life.latest);
    await world.notify(completed);
    const corrected = {
      gross: expect.closeTo(gross, 2),
      commission: expect.closeTo(commission, 1),
    };
    expect(await revenue(user)).toEqual(corrected);
    const { ledger } = await invoiceFigures(world, user);
    shortly();
    await world.notify(world.paddle.event('transaction.updated', life.latest));
    await world.notify(completed);
    expect((await invoiceFigures(world, user)).ledger).toEqual(ledger);
    expect(await revenue(user)).toEqual(corrected);
    expect((await invoiceFigures(world, user)).prices.map(([type]) => type)).not.toContain('RENEWAL');
  });

  it('corrects the commission of a one-time purchase', async () => {
    const user = newAppUserId();
    const sale = world.paddle.sell([{ price: coins }, { price: lifetime }], { status: 'paid' });
    expect((await world.post(user, sale.id)).status).toBe(200);
    expect(await revenue(user)).toEqual({ gross: expect.closeTo(199.99, 2), commission: 0 });
    shortly();
    await world.notify(world.paddle.pay(sale));
    expect(await revenue(user)).toEqual({
      gross: expect.closeTo(199.99, 2),
      commission: expect.closeTo(10.5, 1),
    });
  });

  it('books a fee that the ledger already has no second time', async () => {
    const { user, life } = await sold([month], 'completed');
    const { id } = await world.subscription(user);
    const forget = `UPDATE subscriptions SET emitted = (emitted::jsonb - 'fees')::json WHERE id = $1`;
    await world.server.dataSource.query(forget, [id]);
    shortly();
    await world.notify(world.paddle.event('transaction.updated', life.latest));
    expect((await invoiceFigures(world, user)).ledger).toEqual(['purchase 9.99']);
  });

  it('shows the corrected commission of the subscription and of its transaction', async () => {
    const { user, life } = await sold([month]);
    await world.notify(world.paddle.pay(life.latest));
    const { id, total_revenue_in_usd: total } = await world.subscription(user);
    expect(total).toMatchObject({ gross: 9.99, commission: 1 });
    const { items } = (await world.backend.get(`${world.path}/subscriptions/${id}/transactions`)).body;
    expect(items).toHaveLength(1);
    expect(items[0].revenue_in_usd).toMatchObject({ gross: 9.99, commission: 1 });
  });

  it.each(['before', 'after', 'together with'])(
    'leaves no commission on a sale that is refunded %s the fee',
    async (order) => {
      const { user, life } = await sold([month, { price: setUp }]);
      const pay = () => world.paddle.pay(life.latest);
      const refund = () => world.paddle.adjust(life.latest);
      if (order === 'together with') pay();
      const steps = order === 'before' ? [refund, pay] : order === 'after' ? [pay, refund] : [refund];
      for (const step of steps) {
        await world.notify(step());
        shortly();
      }
      expect(await revenue(user)).toEqual({
        gross: expect.closeTo(0, 5),
        commission: expect.closeTo(0, 5),
      });
    },
  );
});
