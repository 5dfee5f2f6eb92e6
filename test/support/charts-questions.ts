import fc from 'fast-check';
import { withAttributes } from '../../src/insights/charts/definitions/attribute-dimensions.js';
import { charts } from '../../src/insights/charts/definitions/charts.js';
import type {
  AnswerMeasure,
  ChartAnswer,
  SeriesAnswer,
} from '../../src/insights/charts/answers/answer.model.js';
import { ChartsService } from '../../src/insights/charts/answers/charts.service.js';
import { lastDayOf, windows } from '../../src/insights/charts/definitions/windows.js';
import { bucketsBetween, nextBucket } from '../../src/insights/charts/question/buckets.js';
import type { ChartQuestion } from '../../src/insights/charts/question/chart-question.js';
import { type DisplayCurrency } from '../../src/platform/exchange-rates/display-currencies.js';
import { wireValue } from '../../src/insights/charts/question/currencies.js';
import { ChartQuery } from '../../src/insights/charts/question/charts.query.js';
import { ChartQuestionsService } from '../../src/insights/charts/routes/chart-questions.service.js';
import { readQuery } from '../../src/platform/http/lists/query-parameters.js';
import { historyAttributes } from './charts-histories.js';
import { referenceChart, type ReferenceMoney } from './charts-reference.js';
import {
  type ReferenceRow,
  referenceExplorer,
  referenceRetention,
  referenceStatus,
} from './charts-table-reference.js';
import type { TestServer } from './test-server.js';

const DAY_MS = 86_400_000;

/** Values that questions filter and split by; customers have a country of their own. */
const splits = {
  store: ['app_store', 'play_store', 'stripe'],
  country: ['US', 'DE', 'FR', ''],
  platform: ['iOS', 'Android', ''],
  subscription_type: ['new', 'product_change', 'resubscription'],
  transaction_type: ['New', 'Renewal'],
  renewal_cycle: ['trial', '1', '2', '3', '5+', 'non_subscription'],
  channel: ['Subscriptions', 'Non-subscription'],
  product_id: ['monthly', 'pro:base', 'app/unknown'],
  product_duration: ['P1M', 'P1W', 'P1Y'],
  install_month: ['2026-03', '2026-05'],
  first_purchase_month: ['2026-03', '2026-05', ''],
  media_source: ['ads', ''],
  'custom_attribute:team': ['red', 'blue', ''],
  'custom_attribute:$attConsentStatus': ['denied', ''],
  paywall: ['pwa', 'pwb', ''],
} as const;
type Split = keyof typeof splits;
const customerSplits: readonly string[] = [
  'platform',
  'install_month',
  'first_purchase_month',
  'media_source',
  ...historyAttributes.map((name) => `custom_attribute:${name}`),
];
const names = Object.keys(splits) as Split[];

const selectors = {
  revenue_type: ['revenue', 'revenue_net_of_taxes', 'proceeds'],
  conversion_timeframe: ['0_days', '7_days', '30_days', 'unbounded'],
  customer_lifetime: ['7_days', '30_days', '3_months', 'unbounded'],
  encounter_timeframe: ['3_days', '1_day', '7_days', '14_days'],
  conversion_type: ['initial_conversion', 'paid_conversion', 'trial_start', 'trial_conversion'],
  show: ['abandonment', 'bounce', 'purchase_cancellation'],
  measure: ['active_subscriptions', 'active_trials', 'mrr', 'arr', 'subscription_revenue'],
  cohorting_date: ['new_customers', 'initial_conversions', 'new_paying_customers'],
  cohort_measure: [
    'realized_ltv_per_customer',
    'realized_ltv',
    'revenue',
    'revenue_net_of_taxes',
    'proceeds',
    'retained_subscriptions',
    'subscriptions_set_to_renew',
  ],
} as const;

export const question = fc.record({
  resolution: fc.constantFrom('day', 'week', 'month', 'quarter', 'year'),
  startDays: fc.integer({ min: 0, max: 160 }),
  days: fc.integer({ min: 0, max: 120 }),
  filters: fc.array(fc.constantFrom(...names), { maxLength: 2 }),
  value: fc.nat(5),
  segment: fc.option(fc.constantFrom(...names)),
  limit: fc.constantFrom(100, 100, 1),
  selector: fc.nat(20),
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
  expand: fc.boolean(),
  environment: fc.constantFrom('production', 'production', 'production', 'sandbox'),
});
export type Asked = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

/** Charts that are counted when they are read, from tables that the reference does not have. */
const counted = ['refund_request', 'play_store_cancel_reasons'];

export const referenced = charts.map(({ id }) => id).filter((id) => !counted.includes(id));

export async function read(
  server: TestServer,
  projectId: string,
  name: string,
  query: Record<string, unknown>,
): Promise<ChartQuestion> {
  const texts = Object.entries(query).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const parameters = readQuery(ChartQuery, Object.fromEntries(texts));
  return server.app.get(ChartQuestionsService).read(projectId, name, parameters);
}

export async function ask(
  server: TestServer,
  projectId: string,
  name: string,
  query: Record<string, unknown>,
): Promise<ChartAnswer> {
  return server.app.get(ChartsService).answer(await read(server, projectId, name, query));
}

export async function askSeries(
  server: TestServer,
  projectId: string,
  name: string,
  query: Record<string, unknown>,
): Promise<SeriesAnswer> {
  const answer = await ask(server, projectId, name, query);
  if (answer.form !== 'series') throw new Error(name);
  return answer;
}

const steps = {
  day: { months: 0, days: 1 },
  week: { months: 0, days: 7 },
  month: { months: 1, days: 0 },
  quarter: { months: 3, days: 0 },
  year: { months: 12, days: 0 },
} as const;

const durations: Record<string, { months: number; days: number }> = {
  P1M: { months: 1, days: 0 },
  P1W: { months: 0, days: 7 },
  P1Y: { months: 12, days: 0 },
};

type Dims = Record<string, string>;
type Passes = (dims: Dims) => boolean;

function summaryOfTotal({ summary }: SeriesAnswer): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(summary).map(([operation, part]) => [operation, (part as Record<string, unknown>).Total]),
  );
}

/**
 * Computes a summary from the exact values of the slow reference: those of each bucket, and those of the whole range as
 * one bucket. The denominator of a rate is the first measure.
 */
function expectedSummary(
  { measures, values, summary }: SeriesAnswer,
  currency: DisplayCurrency,
  { buckets, total }: { buckets: number[][]; total: number[] },
): Record<string, Record<string, number | null>> {
  const isRate = ({ id, unit }: AnswerMeasure): boolean => unit === '%' || id.startsWith('realized_ltv_per');
  const open = values
    .filter(({ measure, segment }) => measure === 0 && segment === 0)
    .map(({ incomplete }) => incomplete);
  const complete = buckets.filter((_, index) => !open[index]);
  const averaged = complete.length > 0 ? complete : buckets;
  const average = measures.map((measure, index): [string, number | null] => {
    const used = averaged.filter(([whole]) => !isRate(measure) || whole !== 0);
    if (used.length === 0) return [measure.name, isRate(measure) ? null : 0];
    const mean = used.reduce((sum, row) => sum + (row[index] ?? 0), 0) / used.length;
    return [measure.name, wireValue(mean, measure.unit === '#' ? '%' : measure.unit, currency)];
  });
  const totals = measures.map((measure, index): [string, number | null] => [
    measure.name,
    isRate(measure) && !total[0] ? null : wireValue(total[index] ?? 0, measure.unit, currency),
  ]);
  return {
    ...(summary.total ? { total: Object.fromEntries(totals) } : {}),
    average: Object.fromEntries(average),
  };
}

/** Asks the product and the slow reference the same question. */
export class Comparison {
  constructor(
    private readonly server: TestServer,
    private readonly projectId: string,
    /** Units per USD of a day. */
    private readonly rateOf: (currency: string, day: number) => number,
  ) {}

  async compare(name: string, asked: Asked): Promise<void> {
    const { server, projectId } = this;
    const named = charts.find(({ id }) => id === name);
    const chart = named && withAttributes(named, historyAttributes);
    if (!chart) throw new Error(name);
    const today = Math.floor(server.clock.nowMs() / DAY_MS) * DAY_MS;
    const startMs = today - asked.startDays * DAY_MS;
    const endMs = startMs + asked.days * DAY_MS;
    const date = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const filters = new Map<string, string[]>();
    for (const [index, id] of asked.filters.entries()) {
      const value = splits[id][(asked.value + index) % splits[id].length];
      if (chart.filters.includes(id) && value !== undefined) filters.set(id, [value]);
    }
    const segment = asked.segment !== null && chart.segments.includes(asked.segment) ? asked.segment : null;
    const selected = Object.fromEntries(
      chart.selectors.map(({ id }, index) => {
        const options = selectors[id as keyof typeof selectors];
        return [id, options[(asked.selector + index) % options.length] ?? ''];
      }),
    );
    const query = {
      resolution: asked.resolution,
      start_date: date(startMs),
      end_date: date(endMs),
      filters: [...filters].map(([id, values]) => ({ name: id, values })),
      limit_num_segments: String(asked.limit),
      selectors: selected,
      currency: asked.currency,
      environment: asked.environment,
      expand_periods: asked.expand,
      ...(segment === null ? {} : { segment }),
    };
    const isOfCustomer = (id: string): boolean =>
      customerSplits.includes(id) || (id === 'country' && chart.countsCustomers);
    const keyOf = (id: string): string =>
      id === 'country' && chart.countsCustomers ? 'customer_country' : id;
    const filtering =
      (belongs: (id: string) => boolean): Passes =>
      (dims) =>
        [...filters].every(([id, values]) => !belongs(id) || values.includes(dims[keyOf(id)] ?? ''));
    const context = { name, query };
    const asking = await read(server, projectId, name, query);
    const answer = await server.app.get(ChartsService).answer(asking);
    const nowMs = server.clock.nowMs();
    const buckets = bucketsBetween(startMs, Math.min(endMs, nowMs), asking.calendar).map((label) => ({
      label,
      // An expanded range is whole in front, and cut at its end all the same.
      from: asked.expand ? label : Math.max(label, startMs),
      to: Math.min(nextBucket(label, asking.calendar), endMs + DAY_MS),
    }));
    const money: ReferenceMoney = {
      rate: (day) => (asked.currency === 'USD' ? 1 : this.rateOf(asked.currency, day)),
      type: selected.revenue_type ?? 'revenue',
    };
    const shared = {
      now: nowMs,
      money,
      buckets,
      passes: filtering((id) => id !== 'paywall'),
      includes: filtering(isOfCustomer),
      sees: (paywall: string) => filters.get('paywall')?.includes(paywall) ?? true,
      selected,
    };
    const place = { server, project: projectId, environment: asked.environment };
    const wire = (value: number, unit: '$' | '#' | '%'): number => wireValue(value, unit, asking.currency);
    if (answer.form === 'table') {
      const rows =
        name === 'cohort_explorer'
          ? await referenceExplorer(place, shared, {
              date: selected.cohorting_date ?? '',
              measure: selected.cohort_measure ?? '',
              step: steps[asking.calendar.resolution],
            })
          : await this.retention(place, shared, filters);
      const found = new Map<number | string, { value: number; incomplete: boolean }[]>();
      for (const { cohort, value, incomplete } of answer.values)
        found.set(cohort, [...(found.get(cohort) ?? []), { value, incomplete }]);
      const list = rows.map(({ cohort, cells }) => ({
        cohort,
        cells: cells.map(({ value, incomplete }, index) => ({
          value: wire(value, answer.periods[index]?.unit ?? '#'),
          incomplete,
        })),
      }));
      const given = [...found].map(([cohort, cells]) => ({ cohort, cells }));
      if (segment !== null) {
        // One row for each segment, of whom the total adds up what all of them have.
        expect({ ...context, total: given.at(-1)?.cells[0]?.value }).toEqual({
          ...context,
          total: given.slice(0, -1).reduce((sum, { cells }) => sum + (cells[0]?.value ?? 0), 0),
        });
        expect({ ...context, size: given.at(-1)?.cells[0]?.value }).toEqual({
          ...context,
          size: list.at(-1)?.cells[0]?.value,
        });
        const whole = { from: buckets[0]?.from ?? startMs, to: endMs + DAY_MS, label: 0 };
        for (const { cohort, cells } of given.slice(0, -1)) {
          if (cohort === 'Other') continue;
          const id = cohort === 'Unknown' ? '' : String(cohort);
          const of = (dims: Dims): boolean => shared.passes(dims) && (dims[keyOf(segment)] ?? '') === id;
          const own = { ...shared, passes: of, buckets: [whole] };
          const [row] = await this.retention(place, own, filters);
          expect({ ...context, cohort, values: cells.map(({ value }) => value) }).toEqual({
            ...context,
            cohort,
            values: row?.cells.map(({ value }, index) => wire(value, answer.periods[index]?.unit ?? '#')),
          });
        }
        return;
      }
      this.expectClose({ ...context, rows: given }, { ...context, rows: list });
      return;
    }
    const isStatus = name === 'subscription_status';
    const windowId = selected.conversion_timeframe ?? selected.customer_lifetime;
    const window = windows.find(({ id }) => id === windowId);
    const exact = async (
      passes: Passes,
      includes: Passes,
      of = buckets,
      sees = shared.sees,
    ): Promise<number[][]> =>
      isStatus
        ? [await referenceStatus(place, { ...shared, passes, includes }, selected.measure ?? '')]
        : referenceChart(server, projectId, asked.environment, {
            ...shared,
            buckets: of,
            chart: name,
            passes,
            includes,
            sees,
            ...(window ? { window: { last: (day) => lastDayOf(window, day) ?? Infinity } } : {}),
          });
    const reference = async (passes: Passes, includes: Passes, sees = shared.sees): Promise<number[][]> =>
      (await exact(passes, includes, buckets, sees)).map((row) =>
        row.map((value, index) => wire(value, answer.measures[index]?.unit ?? '#')),
      );
    const labels = isStatus ? [answer.values[0]?.bucketMs ?? 0] : buckets.map(({ label }) => label);
    const rowsOf = (index: number): number[][] =>
      labels.map((bucketMs) =>
        answer.values
          .filter((value) => value.bucketMs === bucketMs && value.segment === index)
          .map(({ value }) => value),
      );
    this.expectClose(
      { ...context, rows: rowsOf(0) },
      { ...context, rows: await reference(shared.passes, shared.includes) },
    );
    const [first, last] = [buckets[0], buckets.at(-1)];
    const range = first && last ? [{ label: 0, from: first.from, to: last.to }] : [];
    this.expectClose(
      { ...context, summary: segment === null ? answer.summary : summaryOfTotal(answer) },
      {
        ...context,
        summary: expectedSummary(answer, asked.currency, {
          buckets: await exact(shared.passes, shared.includes),
          total: (await exact(shared.passes, shared.includes, range))[0] ?? [],
        }),
      },
    );
    if (segment === null) return;
    const shown = (answer.segments ?? []).filter(({ isTotal, isOther }) => !isTotal && !isOther);
    const key = keyOf(segment);
    for (const [index, { id, isTotal, isOther }] of (answer.segments ?? []).entries()) {
      if (isTotal) continue;
      const isIn = (value: string): boolean =>
        isOther ? !shown.some((one) => one.id === value) : value === id;
      const belongs: Passes = (dims) => segment === 'paywall' || isIn(dims[key] ?? '');
      const passes: Passes = (dims) => shared.passes(dims) && belongs(dims);
      const sees = (paywall: string): boolean =>
        shared.sees(paywall) && (segment !== 'paywall' || isIn(paywall));
      const includes: Passes = isOfCustomer(segment)
        ? (dims) => shared.includes(dims) && belongs(dims)
        : shared.includes;
      const rows = await reference(passes, includes, sees);
      const of = isOther ? 'the others' : id;
      this.expectClose({ ...context, of, rows: rowsOf(index) }, { ...context, of, rows });
    }
  }

  private retention(
    place: { server: TestServer; project: string; environment: string },
    shared: Parameters<typeof referenceRetention>[1],
    filters: ReadonlyMap<string, string[]>,
  ): Promise<ReferenceRow[]> {
    const name = filters.get('product_duration')?.[0] ?? 'P1M';
    return referenceRetention(place, shared, { name, ...(durations[name] ?? { months: 1, days: 0 }) });
  }

  /** Sums of converted amounts differ in the last digit by the order in which they are added. */
  private expectClose(found: object, expected: object): void {
    const rounded = (value: unknown, other: unknown): unknown => {
      if (typeof value === 'number' && typeof other === 'number')
        return Math.abs(value - other) <= 0.0101 && !(Number.isInteger(value) && Number.isInteger(other))
          ? other
          : value;
      if (Array.isArray(value)) return value.map((one, index) => rounded(one, (other as unknown[])?.[index]));
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(
          Object.entries(value).map(([key, one]) => [key, rounded(one, (other as Dims | undefined)?.[key])]),
        );
      return value;
    };
    const isExact =
      !JSON.stringify(expected).includes('"currency":"EUR"') &&
      !JSON.stringify(expected).includes('"currency":"JPY"');
    const { name, query } = expected as { name?: string; query?: object };
    try {
      expect(isExact ? found : rounded(found, expected)).toEqual(expected);
    } catch (error) {
      throw new Error(`${name} ${JSON.stringify(query)}`, { cause: error });
    }
  }
}
