import { tokensOfOrders } from './order-tokens.js';
import { PlayCallFailed, type PlayFailure } from './play-errors.js';

/** A Google Play that fails a whole call for one unknown order and records the requests. */
function play(unknown: string[] = [], failure: PlayFailure = 'unknown') {
  const calls: string[][] = [];
  const orders = (ids: string[]) => {
    calls.push(ids);
    if (ids.some((id) => unknown.includes(id))) throw new PlayCallFailed(failure, 'refused');
    return Promise.resolve(ids.map((orderId) => ({ orderId, purchaseToken: `token of ${orderId}` })));
  };
  return { calls, orders: async (ids: string[]) => orders(ids) };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `GPA.${index}`);

describe('tokens of orders', () => {
  it('reads them in lists of at most 1000, each order once', async () => {
    const api = play();
    const found = await tokensOfOrders(api, [...ids(2_500), ...ids(10)]);
    expect(api.calls.map(({ length }) => length)).toEqual([1000, 1000, 500]);
    expect([found.tokens.size, found.unknown, found.failed]).toEqual([2_500, [], null]);
    expect(found.tokens.get('GPA.7')).toBe('token of GPA.7');
  });

  it.each([1, 2, 3, 100, 1_000])(
    'finds the others of %d with one unknown, which is looked up alone once',
    async (n) => {
      const bad = `GPA.${Math.floor(n / 3)}`;
      const api = play([bad]);
      const found = await tokensOfOrders(api, ids(n));
      expect([found.tokens.size, found.unknown, found.failed]).toEqual([n - 1, [bad], null]);
      expect(api.calls.filter(([only, more]) => only === bad && more === undefined)).toHaveLength(1);
      expect(api.calls.length - 1).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(n)));
    },
  );

  it.each<PlayFailure>(['gone', 'refused'])('halves a list that is %s, too', async (failure) => {
    const found = await tokensOfOrders(play(['GPA.1'], failure), ids(4));
    expect([found.tokens.size, found.unknown]).toEqual([3, ['GPA.1']]);
  });

  it.each<PlayFailure>(['credentials', 'package', 'quota', 'unavailable'])(
    '%s ends it at once and condemns no order',
    async (failure) => {
      const api = play(['GPA.3'], failure);
      const found = await tokensOfOrders(api, ids(4));
      expect([api.calls.length, found.unknown, found.failed?.failure]).toEqual([1, [], failure]);
    },
  );

  it('keeps what was found before the caller stops it', async () => {
    const api = play();
    let left = 1;
    const found = await tokensOfOrders(api, ids(1_500), () => Promise.resolve(left-- > 0));
    expect([api.calls.length, found.tokens.size, found.unknown]).toEqual([1, 1_000, []]);
  });

  it('treats an order that the answer leaves out as unknown', async () => {
    const found = await tokensOfOrders({ orders: () => Promise.resolve([]) }, ['GPA.1']);
    expect([found.tokens.size, found.unknown]).toEqual([0, ['GPA.1']]);
  });
});
