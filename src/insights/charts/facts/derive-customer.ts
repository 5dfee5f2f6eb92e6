import type { MetricEnvironment } from './plan-spans.js';
import type { ChartFact } from './chart-facts.js';
import { type BuyerRow, buyerRow, dayStart, type PayerRow, payerRows } from './customer-sales.js';
import type { CustomerDims, Dims, DimsDictionary } from './dims.js';
import { dimsOf, type PeriodDims } from './period-dims.js';
import { factsOf } from './period-facts.js';
import { type ChartPeriod, chartPeriods, isCounted, openingKinds } from './periods.js';
import { type RunRow, runRow } from './run-rows.js';
import { customerRuns, type Run, runAfter } from './runs.js';
import type { CustomerSource, FindProduct } from './source.model.js';

/** Stored chart data of one customer. */
export interface DerivedCustomer {
  customerId: string;
  cohortDayMs: number;
  customerDimsId: string;
  /** The customer's dimensions in sandbox, where the first purchase may differ; null if equal. */
  sandboxDimsId: string | null;
  facts: ChartFact[];
  runs: RunRow[];
  payers: (PayerRow & { environment: MetricEnvironment })[];
  buyers: (BuyerRow & { environment: MetricEnvironment })[];
}

const environments = ['production', 'sandbox'] as const;
const YEAR_AND_MONTH = 7;
const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, YEAR_AND_MONTH);

function cohortMoment({ customer, ledger }: CustomerSource): number {
  const counting = ledger.filter((row) => row.environment === 'production' && isCounted(row));
  return counting.reduce(
    (first, { purchasedAtMs }) => Math.min(first, purchasedAtMs),
    customer.firstSeenAtMs,
  );
}

function dimsOfCustomer(
  { customer, chosen, ledger }: CustomerSource,
  environment: MetricEnvironment,
  cohortMs: number,
  dictionary: DimsDictionary,
): Dims {
  const { attributes } = customer;
  const bought = ledger
    .filter((row) => row.environment === environment && isCounted(row) && openingKinds.has(row.kind))
    .map(({ purchasedAtMs }) => purchasedAtMs);
  const values: CustomerDims = {
    customer_country: customer.country ?? '',
    platform: customer.platform ?? '',
    app_version: customer.appVersion ?? '',
    media_source: attributes.$mediaSource ?? '',
    campaign: attributes.$campaign ?? '',
    ad_group: attributes.$adGroup ?? '',
    ad: attributes.$ad ?? '',
    keyword: attributes.$keyword ?? '',
    creative: attributes.$creative ?? '',
    install_month: monthOf(cohortMs),
    first_purchase_month: bought.length === 0 ? '' : monthOf(Math.min(...bought)),
  };
  return dictionary.customer(values, chosen);
}

function dimsByPeriod(
  periods: ChartPeriod[],
  runs: Run[],
  country: string,
  dictionary: DimsDictionary,
): Map<ChartPeriod, PeriodDims> {
  const places = new Map<ChartPeriod, { run: Run; cycle: number }>();
  for (const run of runs) {
    let cycle = 0;
    for (const period of run.periods) {
      if (period.access === 'paid' && !(period.isSameProduct && cycle > 0)) cycle++;
      places.set(period, { run, cycle: period.access === 'paid' ? cycle : 0 });
    }
  }
  const [firstPayment] = periods
    .filter(({ isPaidTransaction }) => isPaidTransaction)
    .sort(
      (a, b) =>
        a.opening.purchasedAtMs - b.opening.purchasedAtMs ||
        (`${a.purchaseId}\n${a.periodKey}` < `${b.purchaseId}\n${b.periodKey}` ? -1 : 1),
    );
  return new Map(
    periods.map((period) => {
      const { run = null, cycle = 0 } = places.get(period) ?? {};
      const isFirstPayment = period === firstPayment;
      return [period, dimsOf(dictionary, period, { run, cycle, isFirstPayment, customerCountry: country })];
    }),
  );
}

/** Adds the customer's combinations to `dictionary`. */
export function deriveCustomer(
  source: CustomerSource,
  find: FindProduct,
  dictionary: DimsDictionary,
): DerivedCustomer {
  const cohortMs = cohortMoment(source);
  const cohortDayMs = dayStart(cohortMs);
  const dimsIdOf = (environment: MetricEnvironment): string =>
    dimsOfCustomer(source, environment, cohortMs, dictionary).id;
  const dimsIds = { production: dimsIdOf('production'), sandbox: dimsIdOf('sandbox') };
  const derived: DerivedCustomer = {
    customerId: source.customer.id,
    cohortDayMs,
    customerDimsId: dimsIds.production,
    sandboxDimsId: dimsIds.sandbox === dimsIds.production ? null : dimsIds.sandbox,
    facts: [],
    runs: [],
    payers: [],
    buyers: [],
  };
  for (const environment of environments) {
    const ledger = source.ledger.filter((row) => row.environment === environment);
    if (ledger.length === 0) continue;
    const subscriptions = source.subscriptions.filter((row) => row.environment === environment);
    const periods = chartPeriods(ledger, subscriptions, source, find);
    const runs = customerRuns(subscriptions, periods);
    const dims = dimsByPeriod(periods, runs, source.customer.country ?? '', dictionary);
    const runByPeriod = new Map(runs.flatMap((run) => run.periods.map((period) => [period, run] as const)));
    const context = { customerDimsId: dimsIds[environment], dims, runs };
    for (const period of periods) {
      derived.facts.push(...factsOf(period, runByPeriod.get(period) ?? null, context));
    }
    for (const run of runs) {
      const isLast = !runs.some(
        (other) => other.subscription === run.subscription && other.index > run.index,
      );
      const row = runRow(run, isLast, dims, runAfter(run, runs));
      if (row) derived.runs.push(row);
    }
    derived.payers.push(...payerRows(periods, dims, cohortDayMs).map((row) => ({ ...row, environment })));
    const buyer = buyerRow(periods);
    if (buyer) derived.buyers.push({ ...buyer, environment });
  }
  return derived;
}
