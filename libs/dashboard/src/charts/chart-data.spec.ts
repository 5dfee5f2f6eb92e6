import {
  type ChartData,
  comparable,
  drawingOf,
  hasNoViews,
  incompleteFrom,
  type Measure,
  seriesOf,
  sharesOf,
  averagedOver,
  latestOf,
  summaryOf,
} from './chart-data.js';

const measure = (id: string, unit: Measure['unit'] = '#'): Measure => ({
  id,
  display_name: id,
  description: '',
  unit,
  decimal_precision: 2,
  chartable: true,
  tabulable: true,
});
const DAY_S = 86_400;

function answer(measures: Measure[], rows: number[][], openFrom = rows.length): ChartData {
  return {
    measures,
    segments: null,
    values: rows.flatMap((row, bucket) =>
      row.map((value, index) => ({
        cohort: bucket * DAY_S,
        measure: index,
        value,
        incomplete: bucket >= openFrom,
      })),
    ),
  } as unknown as ChartData;
}

describe('seriesOf', () => {
  it('orders values by bucket, and shows no rate of nothing', () => {
    const rows = seriesOf(
      answer(
        [measure('actives'), measure('churn_rate', '%')],
        [
          [4, 25],
          [0, 0],
          [2, 0],
        ],
        2,
      ),
    );
    expect(rows.buckets).toEqual(['1970-01-01', '1970-01-02', '1970-01-03']);
    expect(rows.values(0)).toEqual([4, 0, 2]);
    expect(rows.values(1)).toEqual([25, null, 0]);
    expect(rows.incomplete).toEqual([false, false, true]);
  });
});

describe('incompleteFrom', () => {
  it.each([
    [[], 0],
    [[false, false], 2],
    [[true, false, true, true], 2],
    [[true], 0],
  ])('returns for %j: %d', (incomplete, from) => {
    expect(incompleteFrom(incomplete)).toBe(from);
  });
});

describe('comparable', () => {
  it('leaves out what is incomplete, or not there', () => {
    const now = seriesOf(answer([measure('revenue', '$')], [[1], [2], [3]], 2));
    const before = seriesOf(answer([measure('revenue', '$')], [[7]]));
    expect(comparable(now, before, 0)).toEqual([7, null, null]);
  });
});

describe('drawingOf', () => {
  it('draws a movement as gains, losses and their sum', () => {
    const measures = ['new_actives', 'churned_actives', 'movement'].map((id) => measure(id));
    expect(drawingOf(measures)).toEqual({ main: [0, 1, 2], line: 2, losses: [1], below: [] });
  });

  it('draws a rate, and its parts below by unit', () => {
    const measures = [
      measure('new_customers'),
      measure('realized_ltv', '$'),
      measure('realized_ltv_per_customer', '$'),
    ];
    expect(drawingOf(measures)).toEqual({ main: [2], line: null, losses: [], below: [[0], [1]] });
  });

  it('does not draw a total beside its parts', () => {
    expect(drawingOf(['total', 'set_to_renew', 'set_to_cancel'].map((id) => measure(id)))).toMatchObject({
      main: [1, 2],
      below: [],
    });
  });
});

describe('sharesOf', () => {
  it('adds up to 100', () => {
    const shares = sharesOf([
      { name: 'a', values: [1, 0, null] },
      { name: 'b', values: [3, 0, 2] },
    ]);
    expect(shares.map(({ values }) => values)).toEqual([
      [25, 0, null],
      [75, 0, 100],
    ]);
  });
});

describe('summaryOf', () => {
  const data = { ...answer([measure('Revenue', '$')], [[1]]), summary: { total: { Revenue: 281 } } };

  it('finds a measure, also of the total of segments', () => {
    expect(summaryOf(data, 'total', 0)).toBe(281);
    expect(summaryOf(data, 'average', 0)).toBeUndefined();
    const segments = [{ display_name: 'Total' }] as ChartData['segments'];
    const summary = { total: { Total: { Revenue: 5 } } };
    expect(summaryOf({ ...data, segments, summary }, 'total', 0)).toBe(5);
  });

  it('tells a rate without a denominator apart from a figure that is not there', () => {
    const measures = [measure('actives'), measure('churn_rate', '%')];
    const summary = { total: { actives: 0, churn_rate: null } };
    const churn = { ...answer(measures, [[0, 0]]), summary } as unknown as ChartData;
    expect(summaryOf(churn, 'total', 1)).toBeNull();
    expect(summaryOf(churn, 'average', 1)).toBeUndefined();
  });
});

describe('latestOf', () => {
  it('returns the last bucket of the total, whatever the segments', () => {
    const rows = answer(
      [measure('mrr', '$'), measure('other')],
      [
        [1, 7],
        [2, 8],
      ],
    );
    const total = rows.values.map((value) => ({ ...value, segment: 0 }));
    const parts = rows.values.map((value) => ({ ...value, segment: 1, value: 0 }));
    expect(latestOf({ values: [...total, ...parts] }, 0)).toBe(2);
    expect(latestOf({ values: [] }, 0)).toBeUndefined();
  });
});

describe('averagedOver', () => {
  const measures = [measure('actives'), measure('churn_rate', '%')];
  const rows = [
    [0, 0],
    [2, 100],
    [3, 50],
    [3, 0],
  ];
  const over = (openFrom: number, first: number, last: number): ChartData => ({
    ...answer(measures, rows, openFrom),
    averaged_over: { buckets: last - first + 1, first: first * DAY_S, last: last * DAY_S },
  });

  it('counts complete buckets, and for rates those with a denominator', () => {
    expect(averagedOver(over(3, 0, 2), 0)).toEqual({ buckets: 3, areComplete: true });
    expect(averagedOver(over(3, 0, 2), 1)).toEqual({ buckets: 2, areComplete: true });
  });

  it('counts incomplete buckets if there are no others', () => {
    expect(averagedOver(over(0, 0, 3), 0)).toEqual({ buckets: 4, areComplete: false });
  });

  it('counts nothing before the first bucket', () => {
    expect(averagedOver({ ...answer(measures, []), averaged_over: null }, 0).buckets).toBe(0);
  });
});

it.each([
  [
    ['new_customers', 'paywall_encounters', 'encounter_rate'],
    [
      [4, 0, 0],
      [2, 0, 0],
    ],
    true,
  ],
  [
    ['new_customers', 'paywall_encounters', 'encounter_rate'],
    [
      [4, 0, 0],
      [2, 1, 50],
    ],
    false,
  ],
  [['paywall_viewers', 'bounced', 'bounce_rate'], [[0, 0, 0]], true],
  [['paywall_viewers', 'bounced', 'bounce_rate'], [[1, 0, 0]], false],
  [['new_customers'], [[0]], false],
])(
  'says whether a chart with the measures %j and values %j lacks views of paywalls: %p',
  (ids, rows, lacks) => {
    expect(
      hasNoViews(
        answer(
          ids.map((id) => measure(id)),
          rows,
        ),
      ),
    ).toBe(lacks);
  },
);
