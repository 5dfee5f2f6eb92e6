import { type ChartPreview, changeOfState, chartsIn, coverageOf } from './chart-previews.js';

const preview = (given: Partial<ChartPreview>): ChartPreview =>
  ({ id: 'mrr', measure: 'MRR', value: 30, value_of: 'latest', values: [], ...given }) as ChartPreview;
const values = (...list: (number | null)[]) =>
  list.map((value, index) => ({ date: `2026-01-0${index + 1}`, value, incomplete: false }));

it('groups charts by category, without those that this version does not know', () => {
  const groups = chartsIn([preview({ id: 'revenue' }), preview({ id: 'churn' }), preview({ id: 'newer' })]);
  expect(groups.map(({ category, charts }) => [category, charts.map(({ id }) => id)])).toEqual([
    ['revenue', ['revenue']],
    ['churn', ['churn']],
  ]);
});

it('leaves out charts of paywalls that no app showed, unless one is still computed', () => {
  const group = (encounter: Partial<ChartPreview>) =>
    chartsIn([
      preview({ id: 'paywall_encounter', values: values(0, 0), ...encounter }),
      preview({ id: 'paywall_ltv', values: values(null, null) }),
    ]);
  expect(group({})).toEqual([]);
  expect(group({ values: values(0, 25) })).toHaveLength(1);
  expect(group({ measure: null, values: [] })).toHaveLength(1);
});

it.each([
  [{}, 'now'],
  [{ value_of: 'total' }, 'last 90 days'],
  [{ value_of: 'average', resolution: 'week' }, 'average per week, last 90 days'],
  [{ value: null }, 'nothing to divide by, last 90 days'],
  [{ measure: null, value: null }, 'a table of cohorts'],
] as const)('says what the figure of %j covers: %s', (given, text) => {
  expect(coverageOf(preview(given), 'last 90 days')).toBe(text);
});

it.each([
  [values(20, 30), 0.5],
  [values(0, 30), null],
  [values(30), null],
  [values(null, 30), null],
])('returns the change of the state %j: %p', (list, change) => {
  expect(changeOfState(preview({ values: list }))).toBe(change);
  expect(changeOfState(preview({ values: list, value_of: 'total' }))).toBeNull();
});
