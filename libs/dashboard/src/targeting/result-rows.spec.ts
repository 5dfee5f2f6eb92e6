import type { Results } from './experiments.queries.js';
import { resultRows } from './result-rows.js';

const results = {
  currency: 'USD',
  sections: [
    {
      section: 'Paid customers',
      metrics: [{ name: 'conversion_to_paying', unit: '%', effect: 'positive' }],
      segments: [],
      values: [
        { metric: 0, segment: 0, variant: 'Control', value: 40, change: null },
        { metric: 0, segment: 0, variant: 'Treatment', value: 60, change: 50 },
        { metric: 0, segment: 1, variant: 'Treatment', value: 20, change: null },
      ],
    },
    {
      section: 'Revenue',
      metrics: [{ name: 'total_mrr', unit: '$', effect: 'positive' }],
      segments: [],
      values: [
        { metric: 0, segment: 0, variant: 'Control', value: null, change: null },
        { metric: 0, segment: 0, variant: 'Treatment', value: 1234.5, change: null },
      ],
    },
  ],
  statistics: [
    {
      metric_name: 'conversion_to_paying',
      variants: [
        { name: 'Control', chance_to_win: null },
        {
          name: 'Treatment',
          chance_to_win: 0.716,
          credible_interval_lower: 22.3,
          credible_interval_upper: 88.2,
        },
      ],
    },
  ],
} as unknown as Results;

describe('the table of results', () => {
  it('shows each variant with its change, interval and chance', () => {
    const { variants, sections } = resultRows(results, 'en');
    expect(variants).toEqual(['Control', 'Treatment']);
    expect(sections[0]?.rows[0]?.cells).toEqual([
      { value: '40%', change: null, interval: null, chance: null },
      { value: '60%', change: '+50%', interval: ['22.3%', '88.2%'], chance: '71.6%' },
    ]);
  });

  it('shows a dash for what is not known', () => {
    const [, revenue] = resultRows(results, 'en').sections;
    expect(revenue?.rows[0]?.cells.map(({ value }) => value)).toEqual(['—', '$1,234.50']);
  });
});
