import { dueNews } from './alert-mails.policy.js';

const NOW = new Date('2026-01-10T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);

describe('the mail about a problem', () => {
  it.each([
    ['new: reported', null, false, null, null, 'problem'],
    ['open and reported: nothing more, however long', null, true, hoursAgo(900), null, null],
    ['over, and was reported: its end', hoursAgo(0), true, hoursAgo(1), null, 'recovery'],
    ['over, but never reported: nothing', hoursAgo(0), false, null, null, null],
    ['over, and said so: nothing more', hoursAgo(50), false, hoursAgo(51), hoursAgo(50), null],
    ['back within a day of the mail: waits', null, false, hoursAgo(23), hoursAgo(22), null],
    ['still there a day after the mail: reported again', null, false, hoursAgo(24), hoursAgo(23), 'problem'],
    ['its end within a day of the last one: waits', hoursAgo(0), true, hoursAgo(1), hoursAgo(23), null],
    ['its end a day after the last one', hoursAgo(1), true, hoursAgo(2), hoursAgo(24), 'recovery'],
  ] as const)('%s', (_, resolvedAt, isReported, problemMailedAt, recoveryMailedAt, expected) => {
    const alert = {
      cause: 'webhook_failing',
      resolvedAt,
      isReported,
      problemMailedAt,
      recoveryMailedAt,
    } as const;
    expect(dueNews(alert, NOW)).toBe(expected);
  });

  it.each([
    ['new: reported', null, null, 'problem'],
    ['six days after the mail: nothing', null, hoursAgo(7 * 24 - 1), null],
    ['still there a week after the mail: reported again', null, hoursAgo(7 * 24), 'problem'],
    ['over: nothing', hoursAgo(0), hoursAgo(7 * 24), null],
  ] as const)('reports on an experiment, %s', (_, resolvedAt, problemMailedAt, expected) => {
    const alert = { cause: 'experiment_warning', isReported: true, recoveryMailedAt: null } as const;
    expect(dueNews({ ...alert, resolvedAt, problemMailedAt }, NOW)).toBe(expected);
  });
});
