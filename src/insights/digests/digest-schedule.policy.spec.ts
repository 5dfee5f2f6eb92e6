import { type DigestSchedule, isTimeZone, latestDue, nextDue, periodKey } from './digest-schedule.policy.js';

const daily: DigestSchedule = {
  period: 'daily',
  weekday: 1,
  hour: 9,
  timeZone: 'UTC',
  weekStartsOn: 'monday',
};
const weekly: DigestSchedule = { ...daily, period: 'weekly' };

const shown = ({ dueMs, ...period }: ReturnType<typeof nextDue>) =>
  `${new Date(dueMs).toISOString().slice(0, 16)} ${periodKey(period)}`;

describe('the next time of a digest', () => {
  it.each<[string, Partial<DigestSchedule>, string, string]>([
    ['is today before the hour', {}, '2026-11-27T08:59:59Z', '2026-11-27T09:00 2026-11-26'],
    ['is tomorrow at the hour', {}, '2026-11-27T09:00:00Z', '2026-11-28T09:00 2026-11-27'],
    [
      'follows the local hour',
      { timeZone: 'America/New_York' },
      '2026-11-27T00:00:00Z',
      '2026-11-27T14:00 2026-11-26',
    ],
    [
      'reports the last complete UTC day',
      { timeZone: 'Asia/Tokyo', hour: 8 },
      '2026-11-27T00:00:00Z',
      '2026-11-27T23:00 2026-11-26',
    ],
    [
      'is 20 minutes past midnight at the earliest',
      { hour: 0 },
      '2026-11-27T00:00:00Z',
      '2026-11-27T00:20 2026-11-26',
    ],
    [
      'waits for the end of the UTC day elsewhere',
      { timeZone: 'Asia/Tokyo' },
      '2026-11-26T12:00:00Z',
      '2026-11-27T00:20 2026-11-26',
    ],
    [
      'keeps a quarter of an hour of the time zone',
      { timeZone: 'Asia/Kathmandu', hour: 6 },
      '2026-11-27T00:00:00Z',
      '2026-11-27T00:20 2026-11-26',
    ],
    [
      'is the next hour if clocks skip it',
      { timeZone: 'Europe/Berlin', hour: 2 },
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00 2026-03-28',
    ],
    [
      'is the first of two equal hours',
      { timeZone: 'Europe/Berlin', hour: 2 },
      '2026-10-24T23:00:00Z',
      '2026-10-25T00:20 2026-10-24',
    ],
    [
      'is the first of two equal hours in the west',
      { timeZone: 'America/New_York', hour: 1 },
      '2026-11-01T00:00:00Z',
      '2026-11-01T05:00 2026-10-31',
    ],
    [
      'is not repeated in the second of two equal hours',
      { timeZone: 'America/New_York', hour: 1 },
      '2026-11-01T05:00:00Z',
      '2026-11-02T06:00 2026-11-01',
    ],
    [
      'is the next hour that exists if a place leaves out a day',
      { timeZone: 'Pacific/Apia' },
      '2011-12-29T20:00:00Z',
      '2011-12-30T10:00 2011-12-29',
    ],
  ])('%s', (_, own, after, expected) => {
    expect(shown(nextDue(Date.parse(after), { ...daily, ...own }))).toBe(expected);
  });

  it.each<[string, Partial<DigestSchedule>, string, string]>([
    ['is the chosen weekday', {}, '2026-11-24T00:00:00Z', '2026-11-30T09:00 2026-11-23/2026-11-29'],
    ['is in a week at the hour', {}, '2026-11-30T09:00:00Z', '2026-12-07T09:00 2026-11-30/2026-12-06'],
    [
      'reports weeks that start on Sunday',
      { weekStartsOn: 'sunday' },
      '2026-11-24T00:00:00Z',
      '2026-11-30T09:00 2026-11-22/2026-11-28',
    ],
    [
      'reports the last complete week',
      { weekday: 7 },
      '2026-11-24T00:00:00Z',
      '2026-11-29T09:00 2026-11-16/2026-11-22',
    ],
    [
      'is 20 minutes past the week at the earliest',
      { timeZone: 'Asia/Tokyo' },
      '2026-11-29T20:00:00Z',
      '2026-11-30T00:20 2026-11-23/2026-11-29',
    ],
    [
      'uses the weekday of the place',
      { timeZone: 'Pacific/Auckland', hour: 8 },
      '2026-11-24T00:00:00Z',
      '2026-11-29T19:00 2026-11-16/2026-11-22',
    ],
  ])('reads a week: %s', (_, own, after, expected) => {
    expect(shown(nextDue(Date.parse(after), { ...weekly, ...own }))).toBe(expected);
  });

  it('comes once a day for ten years, at the same local hour unless clocks skip it', () => {
    const schedule = { ...daily, timeZone: 'America/Santiago', hour: 0 };
    let atMs = Date.parse('2026-01-01T12:00:00Z');
    const hours = new Map<number, number>();
    for (let day = 0; day < 3652; day++) {
      const next = nextDue(atMs, schedule);
      expect(next.dueMs - atMs).toBeLessThanOrEqual(25 * 3_600_000);
      expect(latestDue(next.dueMs, schedule)).toEqual(next);
      atMs = next.dueMs;
      const local = new Date(atMs).toLocaleString('en-US', {
        timeZone: 'America/Santiago',
        hour: 'numeric',
        hourCycle: 'h23',
      });
      hours.set(Number(local), (hours.get(Number(local)) ?? 0) + 1);
    }
    // Clocks go from 23:59 to 01:00 once a year.
    expect([...hours]).toEqual([
      [0, 3642],
      [1, 10],
    ]);
  });
});

describe('the latest time of a digest', () => {
  it.each<[string, string, string]>([
    ['is the time itself', '2026-11-27T09:00:00Z', '2026-11-27T09:00 2026-11-26'],
    ['skips earlier ones', '2026-11-30T03:00:00Z', '2026-11-29T09:00 2026-11-28'],
  ])('%s', (_, at, expected) => {
    expect(shown(latestDue(Date.parse(at), daily))).toBe(expected);
  });
});

it.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['+01:00', false],
  ['Europe/Atlantis', false],
  ['', false],
])('recognizes the time zone %j: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
