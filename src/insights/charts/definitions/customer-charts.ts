import type { Selected, SeriesChart } from './chart.model.js';
import {
  conversionFilters,
  conversionSegments,
  customerFilters,
  customerSegments,
  ltvSegments,
} from './chart-dimensions.js';
import { count, money, moneyPer, rate } from './measures.js';
import { conversionTimeframe, customerLifetime } from './selectors.js';
import { windows } from './windows.js';

const series = { table: 'series', countsCustomers: true, selectors: [], stocks: [], flows: [] } as const;
const ofCustomers = { filters: customerFilters, segments: customerSegments } as const;

function nameOf(selected: Selected, selector: string): string {
  return windows.find(({ id }) => id === selected[selector])?.name ?? '';
}

export const customerCharts: readonly SeriesChart[] = [
  {
    ...series,
    ...ofCustomers,
    id: 'customers_new',
    example: 'A customer first seen on 5 January is in January.',
    name: 'New Customers',
    category: 'customers',
    about: 'First seen in the period.',
    display: 'bar',
    time: 'flow',
    description: 'Customers by the day they were first seen, or first bought if that was earlier.',
    formula: 'New Customers = customers whose first day is in the period',
    flows: ['customers'],
    measures: () => [count('new_customers', 'New Customers', 'First seen in the period.', 'customers')],
  },
  {
    ...series,
    ...ofCustomers,
    id: 'customers_active',
    example: 'A customer seen on two days of March is 1 in March, and 1 on each day.',
    name: 'Active Customers',
    category: 'customers',
    about: 'Seen in the period.',
    display: 'line',
    time: 'flow',
    description: 'Customers whose app asked this server at least once. Kept for two years.',
    formula: 'Active Customers = distinct customers seen in the period',
    flows: ['active_customers'],
    measures: () => [
      {
        ...count('active_customers', 'Active Customers', 'Seen in the period.', 'active_customers'),
        summary: 'average',
      },
    ],
  },
  {
    ...series,
    id: 'conversion_to_paying',
    example: 'Paid on day 7 and refunded on day 16: a conversion within 7 days, none within 30.',
    name: 'Conversion to Paying',
    category: 'conversion',
    about: 'Share of new customers that paid.',
    display: 'line',
    time: 'cohort',
    description:
      'The share of new customers who paid within a time after they were first seen. A payment refunded in full within that time does not count; trials do not.',
    formula: 'Conversion Rate = Paying Customers ÷ New Customers',
    filters: conversionFilters,
    segments: conversionSegments,
    selectors: [conversionTimeframe],
    flows: ['customers', 'paying'],
    measures: (selected) => {
      const name = nameOf(selected, 'conversion_timeframe');
      return [
        count('new_customers', 'New Customers', 'First seen in the period.', 'customers'),
        count('paying_customers', `Paying Customers (${name})`, 'Customers who paid.', 'paying'),
        rate(
          'conversion_rate',
          `Conversion Rate (${name})`,
          'Paying ÷ new.',
          (sums) => sums.flow('paying'),
          (sums) => sums.flow('customers'),
        ),
      ];
    },
  },
  {
    ...series,
    id: 'initial_conversion',
    example: 'A trial on day 15 is a conversion within 30 days.',
    name: 'Initial Conversion',
    category: 'conversion',
    about: 'Share of new customers who started a trial or paid.',
    display: 'line',
    time: 'cohort',
    description:
      'The share of new customers who started a trial or paid within a time after they were first seen.',
    formula: 'Conversion Rate = Initial Conversions ÷ New Customers',
    filters: conversionFilters,
    segments: conversionSegments,
    selectors: [conversionTimeframe],
    flows: ['customers', 'converting'],
    measures: (selected) => {
      const name = nameOf(selected, 'conversion_timeframe');
      return [
        count('new_customers', 'New Customers', 'First seen in the period.', 'customers'),
        count(
          'initial_conversions',
          `Initial Conversions (${name})`,
          'Customers who started a trial or paid.',
          'converting',
        ),
        rate(
          'conversion_rate',
          `Conversion Rate (${name})`,
          'Initial conversions ÷ new.',
          (sums) => sums.flow('converting'),
          (sums) => sums.flow('customers'),
        ),
      ];
    },
  },
  {
    ...series,
    id: 'ltv_per_customer',
    example: '4 new customers who paid $20 within 30 days: $5.',
    name: 'Realized LTV per Customer',
    category: 'ltv',
    about: 'What a new customer paid on average.',
    display: 'line',
    time: 'cohort',
    description: 'What customers first seen in a period paid within a lifetime, less refunds within it.',
    formula: 'Realized LTV per Customer = Realized LTV ÷ New Customers',
    filters: conversionFilters,
    segments: ltvSegments,
    selectors: [customerLifetime],
    flows: ['customers', 'ltv'],
    measures: () => [
      count('new_customers', 'New Customers', 'First seen in the period.', 'customers'),
      money('realized_ltv', 'Realized LTV', 'Amount paid.', 'ltv'),
      moneyPer(
        'realized_ltv_per_customer',
        'Realized LTV per Customer',
        'LTV ÷ customers.',
        'ltv',
        'customers',
      ),
    ],
  },
  {
    ...series,
    id: 'ltv_per_paying_customer',
    example: '2 of 4 new customers paid $20 within 30 days: $10.',
    name: 'Realized LTV per Paying Customer',
    category: 'ltv',
    about: 'Average revenue per paying customer.',
    display: 'line',
    time: 'cohort',
    description:
      'What customers first seen in a period paid within a lifetime, for each of them who paid within it.',
    formula: 'Realized LTV per Paying Customer = Realized LTV ÷ New Paying Customers',
    filters: conversionFilters,
    segments: ltvSegments,
    selectors: [customerLifetime],
    flows: ['paying', 'ltv'],
    measures: () => [
      count('new_paying_customers', 'New Paying Customers', 'First seen in the period, and paid.', 'paying'),
      money('realized_ltv', 'Realized LTV', 'Amount paid.', 'ltv'),
      moneyPer(
        'realized_ltv_per_paying_customer',
        'Realized LTV per Paying Customer',
        'LTV ÷ paying customers.',
        'ltv',
        'paying',
      ),
    ],
  },
];
