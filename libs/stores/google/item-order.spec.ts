import { playProducts } from '../../../test/support/fake-play/fake-play.js';
import { type PlayRead, PlayWatch, record } from '../../../test/support/play-watch.js';
import type { SubscriptionItem } from './play-resources.js';
import { baseItem, withBaseFirst } from './subscription-report.js';

const DAY_MS = 86_400_000;
const { monthly, plus, hifi, podcasts } = playProducts;

function permutations<T>(items: T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe('the order in which Google lists the items of a subscription', () => {
  const watch = new PlayWatch(Date.UTC(2026, 0, 2));
  const { clock, play } = watch;
  beforeAll(() => watch.start());
  afterAll(() => watch.close());
  afterEach(() => {
    play.listed = (items) => items;
  });

  /** Reads once for each order of the items. */
  const readInEveryOrder = async (token: string): Promise<PlayRead[]> => {
    const { lineItems = [] } = play.subscriptions.get(token)?.shown as { lineItems?: SubscriptionItem[] };
    const reads: PlayRead[] = [];
    for (const order of permutations(lineItems.map((_, index) => index))) {
      // The replaced purchase has fewer items.
      play.listed = (items) => order.flatMap((index) => items[index] ?? []);
      reads.push(await watch.read(token));
    }
    return reads;
  };

  it.each([
    ['alone', [], 2],
    ['with add-ons', [hifi, podcasts], 24],
  ])('does not matter for a deferred replacement (%s)', async (_, addOns, orders) => {
    const bought = play.subscribe(monthly, { addOns });
    const before = await watch.read(bought.token);
    clock.advanceMs(10 * DAY_MS);
    const reads = await readInEveryOrder(bought.replaceLaterBy(plus).token);
    expect(reads).toHaveLength(orders);
    for (const read of reads) {
      const { states, events } = record([before, read]);
      expect(states[0]).toMatchObject({
        status: 'active',
        givesAccess: true,
        storeProductId: 'pro',
        autoRenewalStatus: 'will_change_product',
        autoRenewProductId: 'plus:monthly',
        accessEndsAtMs: bought.startMs + 30 * DAY_MS,
      });
      expect(states[0]?.addOns.map(({ storeProductId }) => storeProductId)).toEqual(
        addOns.map(({ id }) => id),
      );
      expect(events).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
    }
  });

  it('does not matter if the deferred replacement is seen first', async () => {
    const bought = play.subscribe(monthly);
    clock.advanceMs(10 * DAY_MS);
    for (const read of await readInEveryOrder(bought.replaceLaterBy(plus).token)) {
      expect(record([read]).states[0]).toMatchObject({ givesAccess: true, storeProductId: 'pro' });
    }
  });

  it('does not change the base item of a known subscription whose items end together', async () => {
    const bought = play.subscribe(monthly, { addOns: [hifi, podcasts] });
    const before = await watch.read(bought.token);
    clock.advanceMs(DAY_MS);
    const reads = await readInEveryOrder(bought.token);
    clock.advanceMs(29 * DAY_MS);
    bought.renew();
    const { subscriptions, states, events } = record([
      before,
      ...reads,
      ...(await readInEveryOrder(bought.token)),
    ]);
    expect(states[0]).toMatchObject({ storeProductId: 'pro', givesAccess: true });
    expect(events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    expect(Object.keys(subscriptions[0]?.facts.addOns ?? {})).toHaveLength(4);
  });

  it('does not matter if the items end at different times: the longest is the base item', () => {
    const expiryTime = (days: number): string => new Date(days * DAY_MS).toISOString();
    const items: SubscriptionItem[] = [
      { productId: 'pro', expiryTime: expiryTime(30) },
      { productId: 'hifi', expiryTime: expiryTime(20) },
      { productId: 'to_come' },
    ];
    for (const lineItems of permutations(items)) {
      expect(baseItem(withBaseFirst({ lineItems })).productId).toBe('pro');
      expect(baseItem(withBaseFirst({ lineItems }, 'hifi')).productId).toBe('pro');
    }
  });

  it('refuses it if no running item has an end', async () => {
    const bought = play.subscribe(monthly);
    play.listed = (items) => items.map((item) => ({ ...item, expiryTime: undefined }));
    await expect(watch.read(bought.token)).rejects.toThrow('no end of any item');
  });
});
