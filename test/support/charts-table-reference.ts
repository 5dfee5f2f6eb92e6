import { deriveState } from '../../libs/engine/index.js';
import {
  floor,
  inFull,
  load,
  paying,
  type Period,
  type Person,
  type ReferenceMoney,
  worth,
} from './charts-reference.js';
import type { TestServer } from './test-server.js';

/** The charts that are no series, as plain loops over periods and customers. */

const DAY = 86_400_000;

interface Place {
  server: TestServer;
  project: string;
  environment: string;
}

export interface TableQuestion {
  /** First day of each cohort and the first moment after it (or after the range). */
  buckets: { label: number; from: number; to: number }[];
  now: number;
  passes: (dims: Record<string, string>) => boolean;
  includes?: (dims: Record<string, string>) => boolean;
  money?: ReferenceMoney;
}

export interface ReferenceCell {
  value: number;
  incomplete: boolean;
}
export interface ReferenceRow {
  cohort: number | 'Total';
  cells: ReferenceCell[];
}

/** A day so many months later; the last one of a month that has no such day. */
export function monthsAfter(at: number, months: number): number {
  const start = new Date(at);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(start.getUTCDate(), length)) + (at - floor(at));
}

const after = (at: number, { months, days }: { months: number; days: number }, count: number): number =>
  monthsAfter(at, months * count) + days * count * DAY;

/** Subscriptions that paid again, by their first standard payment. Pairs of count and rate after the size. */
export async function referenceRetention(
  { server, project, environment }: Place,
  { buckets, now, passes }: TableQuestion,
  duration: { name: string; months: number; days: number },
): Promise<ReferenceRow[]> {
  const { runs } = await load(server, project, environment);
  const members = runs.flatMap((run) => {
    const standard = run.filter(
      ({ kind, row }) => kind === 'paid' && ['normal', 'prepaid'].includes(row.type),
    );
    const [first] = standard;
    if (!first || first.duration !== duration.name || !passes(first.dims) || first.from > now) return [];
    return [{ first, standard, run }];
  });
  const chance = ({ first }: (typeof members)[number], k: number): boolean =>
    after(first.from, duration, k) <= now;
  const kept = ({ standard }: (typeof members)[number], k: number): boolean => {
    const paid = standard[k];
    return paid !== undefined && paid.from <= now && !inFull(paid);
  };
  /** Whether the subscription is in grace or retry for exactly that payment. */
  const due = ({ run, standard }: (typeof members)[number], k: number): boolean => {
    const last = run.at(-1);
    if (!last || standard.length !== k) return false;
    const inGrace = last.paidTo !== null && last.paidTo <= now && last.to !== null && last.to > now;
    const ofSubscription = runs.filter((other) => other[0]?.subscription === last.subscription);
    const isLast = ofSubscription.every((other) => (other[0]?.from ?? 0) <= (run[0]?.from ?? 0));
    return inGrace || (isLast && last.subscription?.facts.renewal?.value.inRetry === true);
  };
  const all = members.filter(({ first }) =>
    buckets.some(({ from, to }) => first.from >= from && first.from < to),
  );
  let columns = 0;
  while (columns < 60 && all.some((member) => chance(member, columns + 1))) columns++;
  const rate = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
  const cohorts = buckets.map((bucket) => {
    const own = members.filter(({ first }) => first.from >= bucket.from && first.from < bucket.to);
    const isGrowing = bucket.to > now;
    const cells = Array.from({ length: columns }, (_, index) => {
      const k = index + 1;
      const reached = own.filter((member) => chance(member, k));
      return {
        retained: own.filter((member) => kept(member, k)).length,
        chance: reached.length,
        open: isGrowing || reached.length < own.length || reached.some((member) => due(member, k)),
      };
    });
    return { label: bucket.label, size: own.length, isGrowing, cells };
  });
  const rows = cohorts.map(({ label, size, isGrowing, cells }): ReferenceRow => ({
    cohort: label,
    cells: [
      { value: size, incomplete: isGrowing },
      ...cells.flatMap(({ retained, chance: had, open }) =>
        had === 0
          ? []
          : [
              { value: retained, incomplete: open },
              { value: rate(retained, had), incomplete: open },
            ],
      ),
    ],
  }));
  const total: ReferenceCell[] = [
    {
      value: cohorts.reduce((sum, { size }) => sum + size, 0),
      incomplete: cohorts.some(({ isGrowing }) => isGrowing),
    },
  ];
  for (let index = 0; index < columns; index++) {
    const cells = cohorts.flatMap((cohort) => cohort.cells[index] ?? []).filter(({ chance: had }) => had > 0);
    if (cells.length === 0) continue;
    const closed = cells.filter(({ open }) => !open);
    const add = (list: typeof cells, of: 'retained' | 'chance'): number =>
      list.reduce((sum, cell) => sum + cell[of], 0);
    const incomplete = closed.length === 0;
    const rated = incomplete ? cells : closed;
    total.push(
      { value: add(cells, 'retained'), incomplete },
      { value: rate(add(rated, 'retained'), add(rated, 'chance')), incomplete },
    );
  }
  return [...rows, { cohort: 'Total', cells: total }];
}

/** Payments or retention of cohorts of customers in steps from each customer's own day. */
export async function referenceExplorer(
  { server, project, environment }: Place,
  { buckets, now, passes, includes = () => true, money }: TableQuestion,
  asked: { date: string; measure: string; step: { months: number; days: number } },
): Promise<ReferenceRow[]> {
  const { people, periods } = await load(server, project, environment);
  const ofPerson = (person: Person): Period[] => periods.filter((period) => period.person === person);
  const firstDay = (list: Period[]): number | null =>
    list.length === 0 ? null : floor(Math.min(...list.map(({ from }) => from)));
  const dayOf = (person: Person): number | null => {
    const own = ofPerson(person);
    if (asked.date === 'new_customers') return person.cohort;
    if (asked.date === 'initial_conversions')
      return firstDay(own.filter((period) => paying(period) || period.row.kind === 'trial_start'));
    return firstDay(own.filter((period) => paying(period) && !inFull(period)));
  };
  const members = people
    .filter(({ dims }) => includes(dims))
    .flatMap((person) => {
      const day = dayOf(person);
      return day === null ? [] : [{ person, day }];
    });
  const type = ['revenue_net_of_taxes', 'proceeds'].includes(asked.measure) ? asked.measure : 'revenue';
  const isStock =
    asked.measure === 'retained_subscriptions' || asked.measure === 'subscriptions_set_to_renew';
  /** Earlier periods of a subscription that still runs count as well. */
  const isRenewing = (period: Period): boolean => (period.run ?? [period]).some((one) => renews(one, now));
  const amount = ({ person, day }: (typeof members)[number], column: number): number => {
    const from = after(day, asked.step, column);
    const to = after(day, asked.step, column + 1);
    const own = ofPerson(person).filter(({ dims }) => passes(dims));
    if (isStock) {
      if (from > floor(now)) return 0;
      return own.filter((period) => {
        const at = Math.min(to, now + 1);
        const isActive =
          period.kind === 'paid' && period.from < at && (period.to === null || period.to >= at);
        return isActive && (asked.measure === 'retained_subscriptions' || isRenewing(period));
      }).length;
    }
    const isRealized = asked.measure.startsWith('realized');
    return own
      .flatMap((period) => period.rows.map((row) => ({ period, row })))
      .filter(({ row }) => row.at <= now && row.at < to && (isRealized || column === 0 || row.at >= from))
      .reduce(
        (sum, { period, row }) => sum + worth(period, row.usd, { rate: money?.rate ?? (() => 1), type }, row),
        0,
      );
  };
  const rowOf = (cohort: number | 'Total', own: typeof members, isGrowing: boolean): ReferenceRow => {
    const cells: ReferenceCell[] = [{ value: own.length, incomplete: isGrowing }];
    for (let column = 0; column < 60; column++) {
      if (!own.some(({ day }) => after(day, asked.step, column) <= floor(now))) break;
      const sum = own.reduce((total, member) => total + amount(member, column), 0);
      cells.push({
        value: asked.measure === 'realized_ltv_per_customer' ? sum / own.length : sum,
        incomplete: isGrowing || own.some(({ day }) => after(day, asked.step, column + 1) > floor(now)),
      });
    }
    return { cohort, cells };
  };
  const within = ({ day }: (typeof members)[number], { from, to }: { from: number; to: number }): boolean =>
    day >= from && day < to && day <= now;
  const rows = buckets.map((bucket) =>
    rowOf(
      bucket.label,
      members.filter((member) => within(member, bucket)),
      bucket.to > now,
    ),
  );
  const all = members.filter((member) => buckets.some((bucket) => within(member, bucket)));
  return [
    ...rows,
    rowOf(
      'Total',
      all,
      buckets.some(({ to }) => to > now),
    ),
  ];
}

const isIssue = ({ paidTo, kind }: Period, now: number): boolean =>
  kind === 'paid' && paidTo !== null && paidTo <= now;

/** The store's current report of a running subscription: it continues after its current period. */
function renews(period: Period, now: number): boolean {
  const isActive = period.from <= now && (period.to === null || period.to > now);
  if (!isActive || !period.subscription || isIssue(period, now)) return false;
  const { autoRenewalStatus } = deriveState(period.subscription.facts, now);
  return autoRenewalStatus === 'will_renew' || autoRenewalStatus === 'will_change_product';
}

/** Total, Set to Renew, Set to Cancel and Billing Issue of what is active now. */
export async function referenceStatus(
  { server, project, environment }: Place,
  { now, passes, money }: Omit<TableQuestion, 'buckets'>,
  measure: string,
): Promise<number[]> {
  const { periods } = await load(server, project, environment);
  const kind = measure === 'active_trials' ? 'trial' : 'paid';
  const active = periods.filter(
    (period) =>
      period.kind === kind &&
      passes(period.dims) &&
      period.from <= now &&
      (period.to === null || period.to > now),
  );
  const value = (period: Period): number => {
    switch (measure) {
      case 'mrr':
        return worth(period, period.monthly, money);
      case 'arr':
        return 12 * worth(period, period.monthly, money);
      case 'subscription_revenue':
        return worth(period, period.usd, money);
      default:
        return 1;
    }
  };
  const sum = (list: Period[]): number => list.reduce((total, period) => total + value(period), 0);
  const issues = active.filter((period) => isIssue(period, now));
  const renewing = active.filter((period) => renews(period, now));
  const cancelling = active.filter((period) => !issues.includes(period) && !renewing.includes(period));
  return [active, renewing, cancelling, issues].map(sum);
}
