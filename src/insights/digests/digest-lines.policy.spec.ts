import type { DigestFigure } from './digest-figures.js';
import { type DigestFacts, digestText, isEmpty, periodText, sparkline } from './digest-lines.policy.js';

const facts: DigestFacts = {
  projectName: 'My project',
  environment: 'production',
  period: { firstDay: '2026-11-26', lastDay: '2026-11-26' },
  values: new Map(),
  revenueByDay: null,
  isPreliminary: false,
};

const lineOf = (figure: DigestFigure, value: number, previous: number) =>
  digestText({ ...facts, values: new Map([[figure, { value, previous }]]) }).lines;

describe('a line of a digest', () => {
  it.each<[DigestFigure, number, number, string]>([
    ['revenue', 1234.56, 1099.34, 'Revenue: $1,234.56 (+12.3 % from $1,099.34)'],
    ['revenue', 50, 100, 'Revenue: $50.00 (-50.0 % from $100.00)'],
    ['revenue', 100, 100, 'Revenue: $100.00 (0.0 % from $100.00)'],
    ['revenue', 100.01, 100, 'Revenue: $100.01 (0.0 % from $100.00)'],
    ['revenue', 5, 0, 'Revenue: $5.00 (was $0.00)'],
    ['revenue', 0, 5, 'Revenue: $0.00 (-100.0 % from $5.00)'],
    ['revenue', 0, 0, 'Revenue: $0.00'],
    ['revenue', -5, 10, 'Revenue: -$5.00 (-150.0 % from $10.00)'],
    ['revenue', 5, -10, 'Revenue: $5.00 (+150.0 % from -$10.00)'],
    ['mrr', 12345, 12000, 'MRR: $12,345 (+2.9 % from $12,000)'],
    ['active_subscriptions', 1200, 1000, 'Active subscriptions: 1,200 (+20.0 % from 1,000)'],
    ['new_trials', 3, 0, 'New trials: 3 (was 0)'],
    ['churned', 0, 0, 'Churned subscriptions: 0'],
    ['refunds', 9.99, 0, 'Refunds: $9.99 (was $0.00)'],
    ['problems', 2, 0, 'Open problems: 2'],
    ['problems', 0, 0, 'Open problems: 0'],
  ])('shows %s of %d after %d', (figure, value, previous, expected) => {
    expect(lineOf(figure, value, previous)).toEqual([expected]);
  });

  it('says that a figure is still computed', () => {
    const values = new Map([['revenue', null]] as const);
    expect(digestText({ ...facts, values }).lines).toEqual(['Revenue: still being computed']);
    expect(isEmpty(values)).toBe(false);
  });

  it('says that figures may still change, after the revenue of days', () => {
    const { lines } = digestText({ ...facts, revenueByDay: [0, 7], isPreliminary: true });
    expect(lines).toEqual(['Revenue of 2 days: ▁█', 'These figures may still change.']);
  });
});

describe('the heading of a digest', () => {
  it.each([
    ['2026-11-26', '2026-11-26', 'Thursday 26 November 2026'],
    ['2026-11-16', '2026-11-22', '16 to 22 November 2026'],
    ['2026-11-30', '2026-12-06', '30 November to 6 December 2026'],
    ['2026-12-28', '2027-01-03', '28 December 2026 to 3 January 2027'],
  ])('names %s to %s', (firstDay, lastDay, expected) => {
    expect(periodText({ firstDay, lastDay })).toBe(expected);
  });

  it('marks sandbox figures', () => {
    const { heading } = digestText({ ...facts, environment: 'sandbox' });
    expect(heading).toBe('[Sandbox] My project, Thursday 26 November 2026');
  });
});

it.each([
  [[1, 2, 3, 4, 5, 6, 7, 8], '▁▂▃▄▅▆▇█'],
  [[0, 100], '▁█'],
  [[-100, 0, 100], '▁▅█'],
  [[5, 5, 5], '▁▁▁'],
  [[0, 0], '▁▁'],
  [[0.01, 0.02, 0.011], '▁█▂'],
])('draws %j as %s', (values, expected) => {
  expect(sparkline(values)).toBe(expected);
});

it.each([
  [[0, 0], true],
  [[0, 1], false],
  [[-1, 0], false],
])('finds values %j empty: %s', (values, expected) => {
  const figures: DigestFigure[] = ['revenue', 'problems'];
  const map = new Map(figures.map((figure, index) => [figure, { value: values[index] ?? 0, previous: 9 }]));
  expect(isEmpty(map)).toBe(expected);
});
