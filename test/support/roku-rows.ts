import type { FakeRokuSubscription, RokuMessage } from './fake-roku/fake-roku-subscription.js';
import { type RokuState, RokuWatch } from './roku-watch.js';

export const renewing = { status: 'active', renews: 'will_renew', access: true };
export const ending = { status: 'active', renews: 'will_not_renew', access: true };
export const expired = { status: 'expired', renews: 'will_not_renew', access: false };

/** What happens to a subscription, and what is made of it. */
export interface RokuRow {
  row: string;
  /** Lives it; what it returns is looked at. */
  live: (watch: RokuWatch) => Promise<FakeRokuSubscription>;
  /** Null: there is no such subscription. */
  state: RokuState | null;
  events: string[];
}

export async function bought(
  watch: RokuWatch,
  ...what: Parameters<RokuWatch['roku']['subscribe']>
): Promise<FakeRokuSubscription> {
  const life = watch.roku.subscribe(...what);
  await watch.post(life.id);
  return life;
}

/** A subscription with what happened to it on some days, each told by a notification. */
export function course(
  ...steps: [day: number, what: (life: FakeRokuSubscription) => RokuMessage][]
): RokuRow['live'] {
  return async (watch) => {
    const life = await bought(watch);
    for (const [day, what] of steps) {
      watch.on(day);
      await watch.push(what(life));
    }
    return life;
  };
}

/** Runs the table; asked again, Roku says the same, and nothing happens. */
export function testRokuRows(rows: RokuRow[]): void {
  const watch = new RokuWatch(Date.UTC(2026, 0, 1));

  beforeAll(() => watch.start());
  beforeEach(() => watch.reset());
  afterAll(() => watch.close());

  it.each(rows)('$row', async ({ live, state, events }) => {
    const life = await live(watch);
    expect(watch.stateOf(life)).toEqual(state);
    expect(watch.events).toEqual(events);
    if (state !== null) await watch.poll(life);
    expect(watch.stateOf(life)).toEqual(state);
    expect(watch.events).toEqual(events);
  });
}
