import { accessSpans, type SubscriptionFacts } from '../../libs/engine/index.js';
import { lengthBetween, lengthOfDuration } from '../../src/insights/charts/facts/billing-length.js';
import type { TestServer } from './test-server.js';

/**
 * The definitions of the charts as plain loops over ledger rows, access and customers: slow, without sums, and with
 * nothing in common with the product's own way but `accessSpans` and the length of a period.
 */

const DAY = 86_400_000;
const HOUR = 3_600_000;
export const floor = (at: number): number => Math.floor(at / DAY) * DAY;

export interface Row {
  customer: string;
  purchase: string;
  once: boolean;
  key: string;
  kind: string;
  seq: number;
  store: string;
  product: string;
  amount: number | null;
  usd: number;
  rate: number | null;
  currency: string | null;
  at: number;
  until: number | null;
  type: string;
  ownership: string;
  country: string | null;
  tax: number;
  commission: number;
}

export interface Person {
  id: string;
  seen: number;
  country: string;
  platform: string;
  /** Latest values by name. */
  attributes: Record<string, string> | null;
  /** First day. */
  cohort: number;
  dims: Record<string, string>;
}

export interface Subscription {
  id: string;
  customer: string;
  store: string;
  key: string;
  facts: SubscriptionFacts;
}

export interface Period {
  row: Row;
  rows: Row[];
  from: number;
  to: number | null;
  kind: 'trial' | 'paid' | 'none';
  monthly: number;
  /** The charge, in its currency. */
  price: number;
  /** The price of a whole period. */
  value: number;
  /** The charge, in USD. */
  usd: number;
  length: number;
  duration: string;
  catalogued: boolean;
  /** End of what is paid. */
  paidTo: number | null;
  subscription: Subscription | undefined;
  dims: Record<string, string>;
  person: Person;
  run: Period[] | null;
  runBefore: Period[] | null;
  runType: string;
}

export interface World {
  people: Person[];
  periods: Period[];
  runs: Period[][];
  days: { customer: string; at: number }[];
  views: View[];
}

/** The first view of a paywall by one app user id. */
export interface View {
  customer: string;
  paywall: string;
  first: number;
  initiated: number | null;
}

/** Lengths that the catalog does not name. */
const lengthNames: Record<number, string> = { 15: 'P1W', 60: 'P1M', 720: 'P1Y' };

export const paying = (period: Period): boolean =>
  ['purchase', 'renewal', 'one_time'].includes(period.row.kind) && period.row.amount !== 0;

/** Returns the refunds that were not reversed. The first may have no amount; the second one then states it. */
const outstanding = (period: Period, until: number): { amount: number; isUnknown: boolean } => {
  const rows = period.rows.filter(({ kind, at }) => kind.startsWith('refund') && floor(at) <= until);
  const amount = rows.reduce((sum, row) => sum - (row.amount ?? 0), 0);
  const refunds = rows.filter(({ kind }) => kind === 'refund');
  const isStated = refunds.some((row) => row.amount !== null);
  const isReversed = rows.some((row) => row.kind === 'refund_reversal' && row.amount === null);
  return { amount, isUnknown: refunds.length > 0 && !isStated && !isReversed };
};

const returns = (period: Period, until = Infinity): number => {
  const { amount, isUnknown } = outstanding(period, until);
  return amount + Number(isUnknown);
};

export const inFull = (period: Period, until = Infinity): boolean => {
  const { amount, isUnknown } = outstanding(period, until);
  return amount + Number(isUnknown) > 0 && (isUnknown || amount >= period.price);
};

export async function load(server: TestServer, project: string, environment: string): Promise<World> {
  const query = <R>(sql: string, ...more: unknown[]): Promise<R[]> =>
    server.dataSource.query(sql, [project, ...more]);
  const people = await query<Person>(
    `SELECT id, (extract(epoch FROM first_seen_at) * 1000)::float8 AS seen,
       coalesce(first_seen_country, '') AS country, coalesce(first_seen_platform, '') AS platform,
       (SELECT jsonb_object_agg(a.name, a.value) FROM customer_attributes a
        WHERE a.project_id = $1 AND a.customer_id = c.id AND a.value IS NOT NULL) AS attributes
     FROM customers c WHERE project_id = $1`,
  );
  const subscriptions = await query<Subscription>(
    `SELECT id, customer_id AS customer, store, store_key AS key, facts FROM subscriptions
     WHERE project_id = $1 AND environment = $2`,
    environment,
  );
  const all = await query<Row & { environment: string }>(
    `SELECT customer_id AS customer, coalesce(subscription_id, purchase_id) AS purchase, purchase_id IS NOT NULL AS once,
       period_key AS key, kind, kind_seq AS seq, store, store_product_id AS product, amount_micros::float8 AS amount,
       coalesce(usd_micros, 0)::float8 AS usd, fx_rate::float8 AS rate, currency, (extract(epoch FROM purchased_at) * 1000)::float8 AS at,
       (extract(epoch FROM expires_at) * 1000)::float8 AS until, period_type AS type, ownership, environment,
       upper(country) AS country, tax_bps AS tax, commission_bps AS commission
     FROM store_transactions WHERE project_id = $1 AND store <> 'promotional' AND ownership = 'purchased'
     ORDER BY recorded_at, id`,
  );
  const durations = new Map(
    (
      await query<{ name: string; duration: string | null }>(
        'SELECT store_identifier AS name, duration FROM products WHERE project_id = $1',
      )
    ).map(({ name, duration }) => [name, duration]),
  );
  const ledger = all.filter((row) => row.environment === environment);
  const periods: Period[] = [];
  const opens = ['purchase', 'renewal', 'one_time', 'trial_start'];
  const month = (at: number): string => new Date(at).toISOString().slice(0, 7);
  for (const person of people) {
    const bought = all.filter((row) => row.customer === person.id && row.environment === 'production');
    person.cohort = floor(Math.min(person.seen, ...bought.map(({ at }) => at)));
    // The month is that of the environment that was asked for, while the cohort is always that of production.
    const opened = ledger
      .filter(({ customer, kind }) => customer === person.id && opens.includes(kind))
      .map(({ at }) => at);
    person.dims = {
      customer_country: person.country,
      platform: person.platform,
      media_source: person.attributes?.$mediaSource ?? '',
      'custom_attribute:team': person.attributes?.team ?? '',
      'custom_attribute:$attConsentStatus': person.attributes?.$attConsentStatus ?? '',
      install_month: month(person.cohort),
      first_purchase_month: opened.length === 0 ? '' : month(Math.min(...opened)),
    };
    const own: Period[] = [];
    for (const row of ledger) {
      if (row.customer !== person.id || row.seq !== 0) continue;
      if (!opens.includes(row.kind)) continue;
      const rows = ledger.filter(({ purchase, key }) => purchase === row.purchase && key === row.key);
      const subscription = subscriptions.find(({ id }) => id === row.purchase);
      const span =
        subscription && accessSpans(subscription.facts).find(({ periodKey }) => periodKey === row.key);
      let to = span?.endMs ?? null;
      if (row.type === 'trial' && span && span.periodEndMs !== null && to !== null)
        to = Math.min(to, span.periodEndMs);
      const has = span !== undefined && (to === null || to > row.at);
      const fact = subscription?.facts.periods[row.key] ?? subscription?.facts.imported?.periods[row.key];
      if (fact?.value.planId) row.product = `${row.product}:${fact.value.planId}`;
      const duration = durations.get(row.product) ?? null;
      const value = (has ? fact?.value.terms?.[0]?.valueMicros : null) ?? null;
      const isPart = value !== null && row.type !== 'trial';
      const ownLength = lengthBetween(row.at, row.until);
      const length = (duration === null ? null : lengthOfDuration(duration)) ?? (isPart ? 0 : ownLength);
      const usd = rows
        .filter(({ kind }) => !kind.startsWith('refund'))
        .reduce((sum, paid) => sum + paid.usd, 0);
      const price = rows
        .filter(({ kind }) => !kind.startsWith('refund'))
        .reduce((sum, paid) => sum + (paid.amount ?? 0), 0);
      const rate = rows.find((one) => one.rate !== null)?.rate ?? null;
      const whole = !isPart ? usd : rate === null ? 0 : Math.round(value / rate);
      const monthly = length === 0 ? 0 : Math.sign(whole) * Math.round((Math.abs(whole) * 60) / length);
      own.push({
        row,
        rows,
        from: row.at,
        to: has ? to : null,
        kind: !has ? 'none' : row.type === 'trial' ? 'trial' : 'paid',
        monthly,
        price,
        value: isPart ? value : price,
        usd,
        length,
        duration: duration ?? lengthNames[ownLength] ?? `P${ownLength / 2}D`,
        catalogued: durations.has(row.product),
        paidTo: span?.periodEndMs ?? null,
        subscription,
        dims: {},
        person,
        run: null,
        runBefore: null,
        runType: '',
      });
    }
    joinRuns(own, subscriptions);
    nameDims(own, person);
    periods.push(...own);
  }
  const runs = [...new Set(periods.flatMap(({ run }) => (run ? [run] : [])))];
  const days = await query<{ customer: string; at: number }>(
    `SELECT customer_id AS customer, (extract(epoch FROM day::timestamp AT TIME ZONE 'UTC') * 1000)::float8 AS at
     FROM customer_days WHERE project_id = $1`,
  );
  const views = await query<View>(
    `SELECT a.customer_id AS customer, v.paywall_id AS paywall, (extract(epoch FROM v.first_at) * 1000)::float8 AS first,
       (extract(epoch FROM v.initiated_at) * 1000)::float8 AS initiated
     FROM paywall_views v JOIN customer_aliases a USING (project_id, app_user_id)
     WHERE project_id = $1 AND environment = $2`,
    environment,
  );
  return { people, periods, runs, days, views };
}

function joinRuns(own: Period[], subscriptions: Subscription[]): void {
  const lists = subscriptions.map((subscription) => ({
    subscription,
    list: own
      .filter(({ row, kind }) => row.purchase === subscription.id && kind !== 'none')
      .sort((a, b) => a.from - b.from || (a.row.key < b.row.key ? -1 : 1)),
  }));
  for (const { list } of lists) {
    list.forEach((period, index) => {
      const last = list[index - 1];
      const joined = last && (last.to === null || period.from - last.to <= HOUR);
      if (last && joined) last.to = period.from;
      const same = last?.row.product === period.row.product;
      period.run = last && joined && same && period.kind === 'paid' ? last.run : [];
      period.run?.push(period);
      if (period.run?.[0] === period && joined) period.runBefore = last?.run ?? null;
    });
  }
  for (const { subscription, list } of lists) {
    const key = subscription.facts.replaced?.value.byStoreKey;
    const last = list.at(-1);
    for (const other of lists) {
      const first = other.list[0];
      if (!key || !last || !first || other.subscription === subscription || first.runBefore) continue;
      if (other.subscription.key !== key || other.subscription.store !== subscription.store) continue;
      if ((last.to !== null && first.from - last.to > HOUR) || first.from < last.from) continue;
      last.to = first.from;
      first.runBefore = last.run;
    }
  }
  for (const first of own) {
    const { run } = first;
    if (!run || run[0] !== first) continue;
    const isChange = first.runBefore && first.runBefore.at(-1)?.row.product !== first.row.product;
    const before = own.some((other) => {
      const last = other.run?.findLast(({ kind }) => kind === 'paid');
      return (
        other.run !== run &&
        last === other &&
        other.row.store === first.row.store &&
        last.to !== null &&
        last.to <= first.from
      );
    });
    for (const period of run) {
      period.runType = isChange ? 'product_change' : before ? 'resubscription' : 'new';
      period.runBefore = first.runBefore;
    }
  }
}

function nameDims(own: Period[], person: Person): void {
  const first = own
    .filter(paying)
    .sort(
      (a, b) =>
        a.from - b.from || (`${a.row.purchase}\n${a.row.key}` < `${b.row.purchase}\n${b.row.key}` ? -1 : 1),
    )[0];
  for (const period of own) {
    const paid = period.run?.filter(({ kind }) => kind === 'paid').indexOf(period) ?? -1;
    const cycle = paid < 0 ? '' : paid >= 4 ? '5+' : String(paid + 1);
    period.dims = {
      ...person.dims,
      store: period.row.store,
      product_id: period.catalogued ? period.row.product : `app/${period.row.product}`,
      product_duration: period.row.once ? '' : period.duration,
      country: period.row.country ?? person.country,
      subscription_type: period.runType,
      transaction_type: period === first ? 'New' : 'Renewal',
      channel: period.row.once ? 'Non-subscription' : 'Subscriptions',
      renewal_cycle: period.row.once ? 'non_subscription' : period.kind === 'trial' ? 'trial' : cycle,
    };
  }
}

const paidBefore = (period: Period): Period | null => {
  const index = period.run?.indexOf(period) ?? 0;
  const last =
    index > 0
      ? period.run?.[index - 1]
      : period.runType === 'product_change'
        ? period.runBefore?.at(-1)
        : null;
  return last?.kind === 'paid' ? last : null;
};

function paidAfter(period: Period, world: World): Period | null {
  const next = period.run?.[(period.run.indexOf(period) ?? 0) + 1];
  if (next) return next.kind === 'paid' ? next : null;
  const other = world.runs.find(
    (run) => run[0]?.runBefore === period.run && run[0]?.runType === 'product_change',
  );
  return other?.[0]?.kind === 'paid' ? other[0] : null;
}

const change = (a: Period, b: Period): string => {
  const same =
    a.row.product === b.row.product &&
    a.row.currency === b.row.currency &&
    a.value === b.value &&
    a.length === b.length;
  return same ? 'rate' : b.monthly < a.monthly ? 'contraction' : 'expansion';
};

export interface ReferenceQuestion {
  chart: string;
  /** First day of each bucket and the first moment after it (or after the range). */
  buckets: { from: number; to: number; label: number }[];
  now: number;
  /** Filters and segment, of purchases and of customers. */
  passes: (dims: Record<string, string>) => boolean;
  /** The part of them that customers pass or not, whatever they bought. */
  includes?: (dims: Record<string, string>) => boolean;
  /** The paywalls that count. */
  sees?: (paywall: string) => boolean;
  selected?: Record<string, string>;
  /** For cohort charts. */
  window?: { last: (cohortDay: number) => number };
  money?: ReferenceMoney;
}

export interface ReferenceMoney {
  /** Units per USD. */
  rate: (day: number) => number;
  type: string;
}

const share = (micros: number, bps: number): number =>
  Math.sign(micros) * Math.round((Math.abs(micros) * bps) / 10_000);

/** What is left of an amount of a period, at the rate of the day on which it was sold. */
export function worth(period: Period, micros: number, money?: ReferenceMoney, row = period.row): number {
  const { rate = () => 1, type = 'revenue' } = money ?? {};
  const tax = type === 'revenue' ? 0 : share(micros, row.tax);
  const commission = type === 'proceeds' ? share(micros, row.commission) : 0;
  return (micros - tax - commission) * rate(floor(period.row.at));
}

/** Values by bucket, then measure, in micros where they are money. */
export async function referenceChart(
  server: TestServer,
  project: string,
  environment: string,
  {
    chart,
    buckets,
    now,
    passes,
    includes = () => true,
    sees = () => true,
    selected = {},
    window,
    money,
  }: ReferenceQuestion,
): Promise<number[][]> {
  const world = await load(server, project, environment);
  const { periods } = world;
  const passing = periods.filter((period) => passes(period.dims));
  const live = passing.filter(({ kind }) => kind !== 'none');
  const isIn = (at: number | null, { from, to }: { from: number; to: number }): boolean =>
    at !== null && at >= from && at < to && at <= now;
  const activeAt = (period: Period, at: number): boolean =>
    at > now
      ? period.from <= now && (period.to === null || period.to > now)
      : period.from < at && (period.to === null || period.to >= at);
  const active = (kind: string, at: number): Period[] =>
    live.filter((period) => period.kind === kind && activeAt(period, at));
  const sum = (list: Period[], of: (period: Period) => number): number =>
    list.reduce((total, period) => total + of(period), 0);
  const isFirstPaid = (period: Period): boolean => period.run?.find(({ kind }) => kind === 'paid') === period;
  const isLast = (period: Period): boolean => period.run?.at(-1) === period;
  const rate = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
  const rowsIn = (bucket: { from: number; to: number }): { period: Period; row: Row }[] =>
    passing.flatMap((period) =>
      period.rows.filter(({ at }) => isIn(at, bucket)).map((row) => ({ period, row })),
    );
  const sales = (bucket: { from: number; to: number }): Period[] =>
    passing.filter((period) => paying(period) && isIn(period.from, bucket));
  const members = (bucket: { from: number; to: number }): Person[] =>
    world.people.filter(({ cohort, dims }) => cohort >= bucket.from && cohort < bucket.to && includes(dims));
  const usd = (period: Period, row: Row): number => worth(period, row.usd, money, row);
  const monthly = (period: Period): number => worth(period, period.monthly, money);
  const reach = (person: Person): number => window?.last(person.cohort) ?? Infinity;
  const inWindow = (person: Person, at: number): boolean =>
    Math.max(floor(at), person.cohort) <= reach(person);
  const pays = (period: Period): boolean =>
    paying(period) && inWindow(period.person, period.from) && !inFull(period, reach(period.person));
  const ofPerson = (person: Person): Period[] => passing.filter((period) => period.person === person);

  const isConverted = (trial: Period): boolean => {
    const next =
      trial.run?.[trial.run.indexOf(trial) + 1] ??
      world.runs.find((run) => run[0]?.runBefore === trial.run)?.[0];
    return next?.kind === 'paid' && paying(next) && returns(next) <= 0;
  };
  const earliest = (times: (number | null)[]): number =>
    Math.min(...times.map((time) => time ?? Infinity), Infinity);
  const viewOf = (person: Person): { first: number; initiated: number } => {
    const seen = world.views.filter(({ customer, paywall }) => customer === person.id && sees(paywall));
    return {
      first: earliest(seen.map(({ first }) => first)),
      initiated: earliest(seen.map(({ initiated }) => initiated)),
    };
  };
  const isPayment = (period: Period): boolean =>
    paying(period) && (period.row.once || period.run?.find(paying) === period);
  const conversionsOf = (person: Person): Period[] => {
    const { first } = viewOf(person);
    return ofPerson(person).filter(
      (period) =>
        (period.kind === 'trial' || isPayment(period)) &&
        period.from >= first - 5 * 60_000 &&
        floor(period.from) <= floor(first) + 3 * DAY &&
        period.from <= now,
    );
  };

  return buckets.map((bucket) => {
    const viewers = world.people.filter((person) => {
      const { first } = viewOf(person);
      return includes(person.dims) && first >= bucket.from && first < bucket.to && floor(first) <= now;
    });
    const outcome = (counts: (person: Person) => boolean): number[] => {
      const counted = viewers.filter(counts).length;
      return [viewers.length, counted, rate(counted, viewers.length)];
    };
    const converts = (person: Person): boolean => conversionsOf(person).length > 0;
    const initiates = (person: Person): boolean => {
      const { first, initiated } = viewOf(person);
      return floor(initiated) <= floor(first) + 3 * DAY;
    };
    const begun = live.filter(({ kind, from }) => kind === 'paid' && isIn(from, bucket));
    const ended = live.filter(({ kind, to }) => kind === 'paid' && isIn(to, bucket));
    const trialsBegun = live.filter(({ kind, from }) => kind === 'trial' && isIn(from, bucket));
    switch (chart) {
      case 'revenue':
        return [
          rowsIn(bucket).reduce((total, { period, row }) => total + usd(period, row), 0),
          sales(bucket).length,
        ];
      case 'refunds': {
        const back = rowsIn(bucket).filter(({ row }) => row.kind.startsWith('refund'));
        // Each moment at which a payment becomes one that is refunded, or is no more.
        const turns = passing.reduce((count, period) => {
          const before = returns({ ...period, rows: period.rows.filter(({ at }) => at < bucket.from) });
          const after = returns({
            ...period,
            rows: period.rows.filter(({ at }) => at < bucket.to && at <= now),
          });
          return count + Number(after > 0) - Number(before > 0);
        }, 0);
        return [0 - back.reduce((total, { period, row }) => total + usd(period, row), 0), turns];
      }
      case 'refund_rate': {
        const sold = sales(bucket);
        const back = sold.filter((period) => returns(period) > 0).length;
        return [sold.length, back, rate(back, sold.length)];
      }
      case 'non-subscription_purchases':
        return [sales(bucket).filter(({ row }) => row.once).length];
      case 'mrr':
        return [sum(active('paid', bucket.to), monthly)];
      case 'arr':
        return [12 * sum(active('paid', bucket.to), monthly)];
      case 'actives':
        return [active('paid', bucket.to).length];
      case 'trials':
        return [active('trial', bucket.to).length];
      case 'actives_movement': {
        const starts = begun.filter(isFirstPaid);
        const again = starts.filter(({ runType }) => runType === 'resubscription').length;
        const churned = ended.filter(isLast).length;
        return [starts.length - again, again, churned, starts.length - churned];
      }
      case 'actives_new': {
        const starts = begun.filter(isFirstPaid);
        const trial = starts.filter(
          (period) => period.run?.[period.run.indexOf(period) - 1]?.kind === 'trial',
        );
        const intro = starts.filter((period) => period.row.type === 'intro' && !trial.includes(period));
        return [trial.length, intro.length, starts.length - trial.length - intro.length, starts.length];
      }
      case 'churn': {
        const before = active('paid', bucket.from).length;
        const churned = ended.filter(isLast).length;
        return [before, churned, rate(churned, before)];
      }
      case 'trials_new':
        return [trialsBegun.length];
      case 'trials_movement': {
        const gone = live.filter(({ kind, to }) => kind === 'trial' && isIn(to, bucket)).length;
        return [trialsBegun.length, gone, trialsBegun.length - gone];
      }
      case 'trial_conversion_rate': {
        const converted = trialsBegun.filter(isConverted).length;
        // One that was paid a day early is converted although it still runs.
        const pending = trialsBegun.filter(
          (trial) => trial.to !== null && trial.to > now && !isConverted(trial),
        ).length;
        const starts = trialsBegun.length;
        return [starts, converted, starts - converted - pending, pending, rate(converted, starts)];
      }
      case 'mrr_movement': {
        const moved: Record<string, number> = {
          new: 0,
          again: 0,
          expansion: 0,
          churn: 0,
          contraction: 0,
          rate: 0,
        };
        const add = (name: string, value: number): void => {
          moved[name] = (moved[name] ?? 0) + value;
        };
        for (const period of begun) {
          const earlier = paidBefore(period);
          if (!earlier) add(period.runType === 'resubscription' ? 'again' : 'new', monthly(period));
          else add(passes(earlier.dims) ? change(earlier, period) : 'expansion', monthly(period));
        }
        for (const period of ended) {
          const later = paidAfter(period, world);
          if (!later) add('churn', -monthly(period));
          else add(passes(later.dims) ? change(period, later) : 'contraction', -monthly(period));
        }
        const {
          new: fresh = 0,
          again = 0,
          expansion = 0,
          churn = 0,
          contraction = 0,
          rate: drift = 0,
        } = moved;
        const movement = fresh + again + expansion + churn + contraction + drift;
        return [fresh, again, expansion, -churn, -contraction, movement, drift];
      }
      case 'customers_new':
        return [members(bucket).length];
      case 'customers_active': {
        const seen = world.days.filter(({ at }) => at >= bucket.from && at < bucket.to && at <= now);
        return [
          world.people.filter(
            ({ id, dims }) => includes(dims) && seen.some(({ customer }) => customer === id),
          ).length,
        ];
      }
      case 'conversion_to_paying':
      case 'initial_conversion': {
        const all = members(bucket);
        const counts = (period: Period): boolean =>
          pays(period) ||
          (chart === 'initial_conversion' &&
            period.row.kind === 'trial_start' &&
            inWindow(period.person, period.from));
        const converted = all.filter((person) => ofPerson(person).some(counts)).length;
        return [all.length, converted, rate(converted, all.length)];
      }
      case 'ltv_per_customer':
      case 'ltv_per_paying_customer': {
        const all = members(bucket);
        const counted =
          chart === 'ltv_per_customer' ? all : all.filter((person) => ofPerson(person).some(pays));
        const paid = sum(all.flatMap(ofPerson), (period) =>
          period.rows
            .filter(({ at }) => inWindow(period.person, at))
            .reduce((total, row) => total + usd(period, row), 0),
        );
        return [counted.length, paid, counted.length === 0 ? 0 : paid / counted.length];
      }
      case 'paywall_encounter': {
        const all = members(bucket);
        const days = Number(selected.encounter_timeframe?.split('_')[0]);
        const met = all.filter((person) => floor(viewOf(person).first) <= person.cohort + days * DAY).length;
        return [all.length, met, rate(met, all.length)];
      }
      case 'paywall_conversion':
        return outcome((person) =>
          conversionsOf(person).some((period) => {
            const isTrial = period.kind === 'trial';
            const becomesPaid = isTrial && isConverted(period);
            if (selected.conversion_type === 'trial_start') return isTrial;
            if (selected.conversion_type === 'trial_conversion') return becomesPaid;
            return selected.conversion_type === 'initial_conversion' || isPayment(period) || becomesPaid;
          }),
        );
      case 'paywall_abandonment':
        return outcome((person) => {
          if (converts(person)) return false;
          return selected.show === 'abandonment' || (selected.show === 'bounce') !== initiates(person);
        });
      case 'paywall_ltv': {
        const paid = viewers.map((person) => {
          const bought = new Set(conversionsOf(person).map(({ row }) => row.purchase));
          const own = periods.filter((period) => period.person === person && bought.has(period.row.purchase));
          return sum(own, (period) =>
            period.rows.filter(({ at }) => at <= now).reduce((total, row) => total + usd(period, row), 0),
          );
        });
        const ltv = paid.reduce((total, value) => total + value, 0);
        const [size = 0, converted = 0] = outcome(converts);
        return [size, converted, ltv, size === 0 ? 0 : ltv / size];
      }
      default:
        throw new Error(`no reference of ${chart}`);
    }
  });
}
