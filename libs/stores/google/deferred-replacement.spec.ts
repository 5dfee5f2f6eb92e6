import fc from 'fast-check';
import { playProducts } from '../../../test/support/fake-play/fake-play.js';
import { googleError } from '../../../test/support/fake-play/play-answer.js';
import { type PlayRead, PlayWatch, record, shuffled } from '../../../test/support/play-watch.js';
import type { Subscription } from '../../engine/index.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 2);
const { monthly, basic, plus, yearly } = playProducts;

describe('a plan that begins when the current one is over', () => {
  const watch = new PlayWatch(START_MS);
  const { clock, play, server } = watch;
  const read = (token: string): Promise<PlayRead> => watch.read(token);

  beforeAll(() => watch.start());
  afterAll(() => watch.close());

  /** Every answer that Google can return for a subscription with one or two deferred changes. */
  const history = async (isTwice: boolean, from = basic, to = plus) => {
    const first = play.subscribe(from);
    const reads = [await read(first.token)];
    clock.advanceMs(10 * DAY_MS);
    const second = first.replaceLaterBy(to);
    reads.push(await read(first.token), await read(second.token));
    clock.advanceMs(Math.max(0, second.expiryMs - clock.nowMs()));
    second.renew();
    reads.push(await read(second.token), await read(first.token));
    if (!isTwice) return { reads, tokens: [first.token, second.token] };
    clock.advanceMs(5 * DAY_MS);
    const third = second.replaceLaterBy(from);
    reads.push(await read(second.token), await read(third.token));
    clock.advanceMs(third.expiryMs - clock.nowMs());
    third.renew();
    reads.push(await read(third.token));
    return { reads, tokens: [first.token, second.token, third.token] };
  };

  it.each([false, true])(
    'keeps one subscription with its history, in any order and however often (twice: %s)',
    async (isTwice) => {
      const { reads, tokens } = await history(isTwice);
      const nowMs = clock.nowMs();
      const inOrder = record(reads);
      const changes = isTwice ? 2 : 1;
      expect(inOrder.subscriptions.map(({ storeKey }) => storeKey)).toEqual([tokens[0]]);
      expect(inOrder.states[0]).toMatchObject({ status: 'active', givesAccess: true });
      expect(inOrder.events).toEqual([
        'INITIAL_PURCHASE',
        ...Array.from({ length: changes }, () => ['PRODUCT_CHANGE', 'RENEWAL']).flat(),
      ]);
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat()), (random) => {
          const report = record(shuffled([...reads, ...reads.slice(0, 3)], random), nowMs);
          expect(
            report.subscriptions.map(({ storeKey, facts }) => [storeKey, Object.keys(facts.periods).sort()]),
          ).toEqual(
            inOrder.subscriptions.map(({ storeKey, facts }) => [storeKey, Object.keys(facts.periods).sort()]),
          );
          expect(report.states).toEqual(inOrder.states);
          const money = (subscription: Subscription | undefined): (number | null)[] =>
            Object.keys(subscription?.facts.periods ?? {})
              .sort()
              .map(
                (key) =>
                  (subscription?.facts.prices?.[key]?.value ?? subscription?.facts.periods[key]?.value.price)
                    ?.amountMicros ?? null,
              );
          expect(money(report.subscriptions[0])).toEqual(money(inOrder.subscriptions[0]));
          const openings = (events: string[]): string[] =>
            events.filter((type) => ['INITIAL_PURCHASE', 'RENEWAL'].includes(type)).sort();
          expect(openings(report.events)).toEqual(openings(inOrder.events));
        }),
      );
    },
  );

  it('changes nothing when read twice', async () => {
    const { reads } = await history(true);
    const last = reads.slice(-1);
    expect(record([...reads, ...last, ...last])).toEqual(record(reads));
  });

  it('emits a change to another duration of the same product', async () => {
    const { reads } = await history(false, monthly, yearly);
    expect(record(reads.slice(0, 3)).events).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
  });

  it('ends the subscription when the next one begins if it was replaced before', async () => {
    const first = play.subscribe(basic);
    const reads = [await read(first.token)];
    clock.advanceMs(10 * DAY_MS);
    const second = first.replaceLaterBy(yearly);
    reads.push(await read(second.token));
    clock.advanceMs(5 * DAY_MS);
    const third = second.replaceBy(monthly);
    reads.push(await read(second.token), await read(third.token), await read(first.token));
    for (const order of [reads, [...reads].reverse()]) {
      const { subscriptions, states } = record(order, clock.nowMs());
      const access = subscriptions.map(({ storeKey }, index) => [storeKey, states[index]?.givesAccess]);
      expect(access.sort()).toEqual(
        [
          [first.token, false],
          [third.token, true],
        ].sort(),
      );
    }
  });

  it('reads one subscription without permission for orders if it was read before it began', async () => {
    server.interfere = ({ path }) =>
      path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
    const { reads, tokens } = await history(false);
    server.interfere = () => undefined;
    const { subscriptions, states, events } = record(reads);
    expect(subscriptions.map(({ storeKey }) => storeKey)).toEqual([tokens[0]]);
    expect(states[0]).toMatchObject({ givesAccess: true, storeProductId: 'plus', planId: 'monthly' });
    expect(events).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
  });
});
