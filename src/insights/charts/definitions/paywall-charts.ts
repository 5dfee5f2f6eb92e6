import { encounterFilters, paywallFilters, paywallSegments } from './chart-dimensions.js';
import type { Selected, SeriesChart, Sums } from './chart.model.js';
import type { Figure } from './figures.js';
import { count, money, moneyPer, rate } from './measures.js';
import { abandonment, conversionType, encounterTimeframe, revenueType } from './selectors.js';

/** Days after the day of a view whose purchases count as its conversions. */
export const VIEW_DAYS = 3;

const series = {
  table: 'series',
  listedAs: 'paywalls',
  display: 'line',
  time: 'cohort',
  countsCustomers: true,
  segments: paywallSegments,
  stocks: [],
} as const;

interface Outcome {
  id: string;
  name: string;
  rate: string;
  description: string;
  figures: readonly Figure[];
}

/** Figures of viewers by option of a selector. */
const outcomes: Record<string, Outcome> = {
  initial_conversion: {
    id: 'initial_conversions',
    name: 'Initial Conversions',
    rate: 'Initial Conversion Rate',
    description: 'Viewers who started a trial or a paid subscription, or bought once.',
    figures: ['viewers_converting'],
  },
  paid_conversion: {
    id: 'paid_conversions',
    name: 'Paid Conversions',
    rate: 'Paid Conversion Rate',
    description: 'Viewers who paid, also later for a trial that they started.',
    figures: ['viewers_paying'],
  },
  trial_start: {
    id: 'trial_starts',
    name: 'Trial Starts',
    rate: 'Trial Start Rate',
    description: 'Viewers who started a trial.',
    figures: ['viewers_in_trial'],
  },
  trial_conversion: {
    id: 'trial_conversions',
    name: 'Trial Conversions',
    rate: 'Trial Conversion Rate',
    description: 'Viewers who paid for a trial that they started.',
    figures: ['viewers_trial_converted'],
  },
  abandonment: {
    id: 'abandoned',
    name: 'Abandoned',
    rate: 'Abandonment Rate',
    description: 'Viewers without a conversion.',
    figures: ['viewers_bounced', 'viewers_cancelled'],
  },
  bounce: {
    id: 'bounced',
    name: 'Bounced',
    rate: 'Bounce Rate',
    description: 'Viewers who started no purchase.',
    figures: ['viewers_bounced'],
  },
  purchase_cancellation: {
    id: 'purchase_cancellations',
    name: 'Purchase Cancellations',
    rate: 'Purchase Cancellation Rate',
    description: 'Viewers who started a purchase and did not complete it.',
    figures: ['viewers_cancelled'],
  },
};

const viewers = count('paywall_viewers', 'Paywall Viewers', 'First saw a paywall in the period.', 'viewers');

const outcomesOf =
  (selector: string): SeriesChart['measures'] =>
  (selected) => {
    const outcome = outcomes[selected[selector] ?? ''];
    if (!outcome) throw new Error(`no outcome for ${selector}`);
    const { id, name, description, figures } = outcome;
    const part = (sums: Sums): number => figures.reduce((sum, figure) => sum + sums.flow(figure), 0);
    return [
      viewers,
      count(id, name, description, part),
      rate(`${selected[selector]}_rate`, outcome.rate, 'Of the viewers.', part, (sums) =>
        sums.flow('viewers'),
      ),
    ];
  };

/** Days in which a new customer must see a paywall. */
export function encounterDays({ encounter_timeframe: timeframe = '' }: Selected): number {
  return Number.parseInt(timeframe, 10);
}

/** Counted from views of paywalls when they are read, unlike all other charts of customers. */
export const paywallCharts: readonly SeriesChart[] = [
  {
    ...series,
    id: 'paywall_encounter',
    name: 'Paywall Encounter',
    category: 'conversion',
    about: 'Share of new customers who saw a paywall.',
    description: 'The share of new customers who saw a paywall within a time after they were first seen.',
    formula: 'Encounter Rate = Paywall Encounters ÷ New Customers',
    example: 'First seen on 25 January, a paywall on the 28th: an encounter within 3 days, none within 1.',
    filters: encounterFilters,
    selectors: [encounterTimeframe],
    windowDays: encounterDays,
    flows: ['customers', 'encounters'],
    measures: () => [
      count('new_customers', 'New Customers', 'First seen in the period.', 'customers'),
      count('paywall_encounters', 'Paywall Encounters', 'Customers who saw a paywall in time.', 'encounters'),
      rate(
        'encounter_rate',
        'Encounter Rate',
        'Encounters ÷ new.',
        (sums) => sums.flow('encounters'),
        (sums) => sums.flow('customers'),
      ),
    ],
  },
  {
    ...series,
    id: 'paywall_conversion',
    name: 'Paywall Conversion',
    category: 'conversion',
    about: 'Share of viewers who started a trial or bought.',
    description: `Customers by the day they first saw a paywall, and what they bought within ${VIEW_DAYS} days: a trial, a paid subscription or a one-time purchase. Renewals do not count. By paywall, a customer counts for each one.`,
    formula: 'Conversion Rate = conversions ÷ Paywall Viewers',
    example: 'A view on 28 January and a purchase on 1 February, 4 days later: no conversion.',
    filters: paywallFilters,
    selectors: [conversionType],
    windowDays: () => VIEW_DAYS,
    flows: ['viewers', 'viewers_converting', 'viewers_paying', 'viewers_in_trial', 'viewers_trial_converted'],
    measures: outcomesOf(conversionType.id),
  },
  {
    ...series,
    id: 'paywall_abandonment',
    name: 'Paywall Abandonment',
    category: 'conversion',
    about: 'Share of viewers who bought nothing.',
    description: `Customers by the day they first saw a paywall who did not convert within ${VIEW_DAYS} days: those who started no purchase bounced, the others cancelled one.`,
    formula: 'Abandonment Rate = Abandoned ÷ Paywall Viewers',
    example: 'A tap on the purchase button without a purchase is a cancellation.',
    filters: paywallFilters,
    selectors: [abandonment],
    windowDays: () => VIEW_DAYS,
    flows: ['viewers', 'viewers_bounced', 'viewers_cancelled'],
    measures: outcomesOf(abandonment.id),
  },
  {
    ...series,
    id: 'paywall_ltv',
    name: 'Paywall LTV',
    category: 'ltv',
    about: 'What a viewer of a paywall paid on average.',
    description: `Everything paid so far, less refunds, for the subscriptions and one-time purchases that were conversions of a view within ${VIEW_DAYS} days, by the day of the view. Filters of purchases choose the conversions.`,
    formula: 'Realized LTV per Viewer = Realized LTV ÷ Paywall Viewers',
    example: 'Of 4 viewers, 2 subscribed and have paid $70 since: $17.50.',
    filters: paywallFilters,
    selectors: [revenueType],
    windowDays: () => VIEW_DAYS,
    flows: ['viewers', 'viewers_converting', 'viewers_ltv'],
    measures: () => [
      viewers,
      count(
        'initial_conversions',
        'Initial Conversions',
        'Viewers who started a trial or a paid subscription, or bought once.',
        'viewers_converting',
      ),
      money('realized_ltv', 'Realized LTV', 'Amount paid.', 'viewers_ltv'),
      moneyPer(
        'realized_ltv_per_viewer',
        'Realized LTV per Viewer',
        'LTV ÷ viewers.',
        'viewers_ltv',
        'viewers',
      ),
    ],
  },
];
