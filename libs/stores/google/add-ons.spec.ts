import fc from 'fast-check';
import { playProducts } from '../../../test/support/fake-play/fake-play.js';
import { type PlayRead, PlayWatch, record, shuffled } from '../../../test/support/play-watch.js';
import { type Subscription, chargedPriceOf } from '../../engine/index.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, plus, hifi, podcasts } = playProducts;

/** Charges by order. */
function moneyOf({ facts }: Subscription): [string, number | null][] {
  const addOns = Object.values(facts.addOns ?? {}).map(({ value }) => value.chargeKey);
  const charges = [...new Set([...Object.keys(facts.periods), ...addOns])].sort();
  return charges.map((key) => [key, chargedPriceOf(facts, key)?.amountMicros ?? null]);
}

describe('items of a subscription', () => {
  const watch = new PlayWatch(Date.UTC(2026, 0, 2));
  const { clock, play } = watch;
  const read = (token: string): Promise<PlayRead> => watch.read(token);
  beforeAll(() => watch.start());
  afterAll(() => watch.close());

  /** Every answer that Google can return for a bundle whose add-ons change, and which renews, fails and recovers. */
  const history = async (): Promise<{ reads: PlayRead[]; orders: string[] }> => {
    const bought = play.subscribe(monthly, { addOns: [hifi] });
    const reads = [await read(bought.token)];
    clock.advanceMs(10 * DAY_MS);
    const more = bought.changeAddOns([podcasts]);
    reads.push(await read(more.token), await read(bought.token));
    clock.advanceMs(5 * DAY_MS);
    const fewer = more.changeAddOns([], [hifi]);
    reads.push(await read(fewer.token));
    clock.advanceMs(fewer.expiryMs - clock.nowMs());
    fewer.renew();
    reads.push(await read(fewer.token), await read(more.token));
    clock.advanceMs(30 * DAY_MS);
    fewer.fail(5);
    reads.push(await read(fewer.token));
    clock.advanceMs(6 * DAY_MS);
    fewer.hold();
    reads.push(await read(fewer.token));
    clock.advanceMs(DAY_MS);
    fewer.recover();
    reads.push(await read(fewer.token));
    const orders = [bought.baseOrderId, more.baseOrderId, fewer.baseOrderId, `${fewer.baseOrderId}..0`];
    return { reads, orders };
  };

  it('forms one subscription, in any order and however often it is read', async () => {
    const { reads, orders } = await history();
    const nowMs = clock.nowMs();
    const inOrder = record(reads);
    const [subscription] = inOrder.subscriptions;
    expect(inOrder.subscriptions).toHaveLength(1);
    expect(moneyOf(subscription as Subscription)).toEqual(
      [
        [orders[0], 12_990_000],
        [orders[1], 1_000_000],
        [orders[2], 11_490_000],
        [orders[3], 11_490_000],
      ].sort(),
    );
    expect(inOrder.states[0]?.addOns).toMatchObject([
      { storeProductId: 'hifi', givesAccess: false, isInBundle: false },
      { storeProductId: 'podcasts', givesAccess: true, isInBundle: true },
    ]);
    expect(inOrder.events).toEqual([
      'INITIAL_PURCHASE',
      'PRODUCT_CHANGE',
      'RENEWAL',
      'BILLING_ISSUE',
      'CANCELLATION',
      'EXPIRATION',
      'RENEWAL',
    ]);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (random) => {
        const report = record(shuffled([...reads, ...reads.slice(0, 3)], random), nowMs);
        expect(report.subscriptions.map(({ storeKey }) => storeKey)).toEqual([subscription?.storeKey]);
        expect(report.subscriptions.map(moneyOf)).toEqual(inOrder.subscriptions.map(moneyOf));
        expect(report.states).toEqual(inOrder.states);
      }),
    );
  });

  it('distinguishes them from a deferred replacement, which begins without its own item', async () => {
    const bought = play.subscribe(monthly, { addOns: [hifi] });
    const reads = [await read(bought.token)];
    clock.advanceMs(10 * DAY_MS);
    const next = bought.replaceLaterBy(plus);
    reads.push(await read(next.token));
    const { subscriptions, states } = record(reads);
    expect(subscriptions).toHaveLength(1);
    expect(states[0]).toMatchObject({
      storeProductId: 'pro',
      autoRenewalStatus: 'will_change_product',
      autoRenewProductId: 'plus:monthly',
      addOns: [{ storeProductId: 'hifi', givesAccess: true }],
    });
  });

  it('ends them with a purchase that was replaced at once', async () => {
    const bought = play.subscribe(monthly, { addOns: [hifi] });
    const reads = [await read(bought.token)];
    clock.advanceMs(10 * DAY_MS);
    const next = bought.replaceBy(yearly);
    reads.push(await read(next.token));
    for (const order of [reads, [...reads].reverse()]) {
      const { subscriptions, states } = record(order, clock.nowMs());
      const old = states[subscriptions.findIndex(({ storeKey }) => storeKey === bought.token)];
      expect(old).toMatchObject({ givesAccess: false, addOns: [{ givesAccess: false }] });
    }
  });

  it('suspends all while one payment fails, including items paid for longer', async () => {
    const bought = play.subscribe(monthly, { addOns: [hifi] });
    const reads = [await read(bought.token)];
    clock.advanceMs(10 * DAY_MS);
    const failedMs = clock.nowMs();
    bought.failAddOn(hifi);
    reads.push(await read(bought.token));
    clock.advanceMs(DAY_MS);
    reads.push(await read(bought.token));
    expect(record(reads).states[0]).toMatchObject({
      givesAccess: false,
      accessEndsAtMs: failedMs,
      status: 'in_billing_retry',
      addOns: [{ givesAccess: false, accessEndsAtMs: failedMs }],
    });
    bought.giveUpAddOn(hifi);
    reads.push(await read(bought.token));
    for (const order of [reads, [...reads].reverse()]) {
      const { states } = record(order, clock.nowMs());
      expect(states[0]).toMatchObject({ givesAccess: true, addOns: [{ givesAccess: false }] });
    }
  });

  it('revokes only one for a notification about it', async () => {
    const bought = play.subscribe(monthly, { addOns: [hifi] });
    await read(bought.token);
    clock.advanceMs(DAY_MS);
    bought.revokeAddOn(hifi);
    const hint = { revoked: { orderId: bought.baseOrderId, atMs: clock.nowMs() } };
    const { states } = record([await watch.read(bought.token, hint)]);
    expect(states[0]).toMatchObject({ givesAccess: true, addOns: [{ givesAccess: false }] });
  });
});
