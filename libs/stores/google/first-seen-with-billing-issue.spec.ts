import { playProducts } from '../../../test/support/fake-play/fake-play.js';
import { googleError } from '../../../test/support/fake-play/play-answer.js';
import { PlayWatch, record } from '../../../test/support/play-watch.js';

const DAY_MS = 86_400_000;
const { monthly, hifi } = playProducts;

describe('a subscription first seen after a failed charge, without its orders', () => {
  const watch = new PlayWatch(Date.UTC(2026, 0, 2));
  const { clock, play, server } = watch;
  beforeAll(async () => {
    await watch.start();
    server.interfere = ({ path }) =>
      path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
  });
  afterAll(() => watch.close());

  it.each([
    ['on hold', 0, 30],
    ['in grace', 5, 35],
  ])('ignores the end of the hold (%s)', async (_, graceDays, endsOnDay) => {
    const bought = play.subscribe(monthly, { addOns: [hifi] });
    const endMs = bought.startMs + endsOnDay * DAY_MS;
    clock.advanceMs(30 * DAY_MS);
    bought.fail(graceDays);
    const reads = [await watch.read(bought.token)];
    clock.advanceMs(graceDays * DAY_MS);
    bought.hold();
    reads.push(await watch.read(bought.token));
    clock.advanceMs(25 * DAY_MS);
    bought.expire();
    reads.push(await watch.read(bought.token));
    for (const order of [reads, reads.toReversed()]) {
      const { states, subscriptions } = record(order, clock.nowMs());
      expect(states[0]).toMatchObject({ status: 'expired', accessEndsAtMs: endMs, periodEndsAtMs: endMs });
      expect(states[0]?.addOns[0]?.accessEndsAtMs).toBe(endMs);
      expect(Object.keys(subscriptions[0]?.facts.periods ?? {})).toHaveLength(1);
    }
    const events = record(reads).events;
    expect(events.filter((type) => type === 'EXPIRATION')).toHaveLength(1);
    expect(events).not.toContain('SUBSCRIPTION_EXTENDED');
  });
});
