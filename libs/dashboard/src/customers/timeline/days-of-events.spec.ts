import { daysOfEvents, type TimelineEvent } from './days-of-events.js';

const event = (sequence: number | undefined, day: number, createdAt = 0): TimelineEvent => ({
  object: 'customer.event',
  id: `e${sequence ?? createdAt}`,
  app_id: null,
  type: 'RENEWAL',
  body: { sequence },
  occurred_at: day,
  created_at: createdAt,
});
const days = (...events: TimelineEvent[]) =>
  daysOfEvents(events, ({ occurred_at: day }) => String(day)).map(({ day, items: of }) => [
    day,
    ...of.map(({ id }) => id),
  ]);

describe('the days of a timeline', () => {
  it('begins with the highest sequence number, whatever the times say', () => {
    expect(days(event(1, 1), event(3, 1), event(2, 2))).toEqual([
      ['1', 'e3'],
      ['2', 'e2'],
      ['1', 'e1'],
    ]);
  });

  it('holds the events of one day together', () => {
    expect(days(event(9, 5), event(10, 5))).toEqual([['5', 'e10', 'e9']]);
  });

  it('sorts by recorded time without sequence numbers', () => {
    expect(days(event(undefined, 1, 4), event(undefined, 1, 7))).toEqual([['1', 'e7', 'e4']]);
  });

  it('places records at their time between the events', () => {
    const record = (at: number) => ({ id: `r${at}`, occurred_at: at });
    const all = daysOfEvents([event(2, 5), event(1, 3)], ({ occurred_at: day }) => String(day), [
      record(6),
      record(4),
      record(2),
    ]);
    expect(all.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['r6', 'e2', 'r4', 'e1', 'r2']);
  });

  it('returns none without events', () => {
    expect(days()).toEqual([]);
  });
});
