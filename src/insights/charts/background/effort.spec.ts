import { chartOfName } from '../definitions/charts.js';
import { readQuery } from '../../../platform/http/lists/query-parameters.js';
import { ChartQuery } from '../question/charts.query.js';
import { readQuestion } from '../question/read-question.js';
import { expiryOf } from './background-questions.job.js';
import { effortOf, readsCustomers } from './effort.js';

const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function question(name: string, query: Record<string, string> = {}) {
  const chart = chartOfName(name);
  if (!chart) throw new Error(name);
  const asked = {
    projectId: 'p',
    chart,
    nowMs: NOW_MS,
    weekStartsOn: 'monday' as const,
    namesOf: () => new Map(),
  };
  return readQuestion(asked, readQuery(ChartQuery, query));
}

const filters = (...names: string[]) => ({
  filters: JSON.stringify(names.map((name) => ({ name, values: ['app_store'] }))),
});

describe('the effort of a question', () => {
  const counts = {
    customers: 10_000_000,
    facts: 150_000_000,
    payers: 7_000_000,
    runs: 7_000_000,
    activeDays: 0,
    views: 10_000_000,
    firstDayMs: Date.parse('2023-05-11T00:00:00Z'),
    closedUntilMs: Date.parse('2026-05-09T00:00:00Z'),
    dirtyDays: 0,
    hasCohortDays: false,
    hasActiveDays: true,
    cohortLevels: [] as string[],
  };

  it.each([
    ['revenue', {}, false],
    ['revenue', { segment: 'country' }, false],
    ['conversion_to_paying', {}, false],
    ['ltv_per_customer', { currency: 'EUR' }, false],
    ['conversion_to_paying', { segment: 'store' }, true],
    ['ltv_per_customer', filters('store'), true],
    ['customers_active', {}, true],
    ['subscription_status', {}, true],
    ['subscription_retention', {}, true],
    ['cohort_explorer', {}, true],
    ['paywall_conversion', {}, true],
    ['paywall_encounter', {}, true],
  ] as const)('tells whether %s reads customers: %j', (name, query, expected) => {
    expect(readsCustomers(question(name, query))).toBe(expected);
  });

  it('estimates minutes for all facts of a large project, and less for a part of them', () => {
    const all = effortOf(question('cohort_explorer', { start_date: '2023-05-11' }), counts).ms;
    expect(all / MINUTE_MS).toBeGreaterThan(3);
    expect(all / MINUTE_MS).toBeLessThan(6);
    expect(effortOf(question('cohort_explorer'), counts).ms).toBeLessThan(all / 2);
  });

  it.each([
    ['{}', {}, {}, 0],
    ['a measure of facts', { selectors: '{"cohort_measure":"retained_subscriptions"}' }, {}, 0],
    ['the present state', { selectors: '{"cohort_measure":"subscriptions_set_to_renew"}' }, {}, 2],
    ['a filter', filters('store'), {}, 2],
    ['30 days to read from facts', {}, { dirtyDays: 30 }, 0],
    ['31 of them and today', {}, { dirtyDays: 31 }, 2],
    ['a rollup that is 31 days late', {}, { closedUntilMs: NOW_MS - 32 * 24 * HOUR_MS }, 2],
  ])('reads the sums of cohorts for the explorer, unless they do not answer: %s', (_, query, more, reads) => {
    const effort = effortOf(question('cohort_explorer', query), { ...counts, hasCohortDays: true, ...more });
    expect(effort.reads).toBe(reads);
  });

  it('estimates the facts of the days that are read from them', () => {
    const summed = { ...counts, hasCohortDays: true };
    const ofToday = effortOf(question('cohort_explorer'), summed).ms;
    expect(ofToday).toBeLessThan(500);
    expect(effortOf(question('cohort_explorer'), { ...summed, dirtyDays: 9 }).ms).toBeCloseTo(10 * ofToday);
  });

  it('reads all views whatever the range, and those of each paywall once more for the total and the rest', () => {
    const effort = (query: Record<string, string>, views = counts.views) =>
      effortOf(question('paywall_conversion', query), { ...counts, views });
    const short = effort({ start_date: '2026-05-01' });
    expect(short).toEqual(effort({ start_date: '2024-05-01' }));
    expect(short).toMatchObject({ reads: 1, share: 1 });
    expect(effort({ segment: 'paywall' })).toEqual({ ms: 3 * short.ms, reads: 3, share: 1 });
    expect(effort({ segment: 'platform' })).toEqual(short);
    expect(effort({}, 0)).toMatchObject({ ms: 0, reads: 0 });
  });

  it.each([
    ['conversion_to_paying', filters('store'), 0],
    ['conversion_to_paying', { ...filters('store'), segment: 'store' }, 0],
    ['conversion_to_paying', { segment: 'country' }, 0],
    ['ltv_per_customer', filters('store'), 0],
    ['customers_new', filters('platform'), 0],
    ['conversion_to_paying', filters('store', 'platform'), 1],
    ['conversion_to_paying', filters('placement'), 1],
    ['conversion_to_paying', filters('product_id'), 1],
    ['ltv_per_customer', { ...filters('store'), currency: 'EUR' }, 1],
  ])('reads the sums by sets of values if a level has the dimension: %s %j', (name, query, reads) => {
    const cohortLevels = ['store', 'platform', 'customer_country'];
    expect(effortOf(question(name, query), { ...counts, cohortLevels }).reads).toBe(reads);
  });

  it.each([
    [{}, 0],
    [{ segment: 'country' }, 0],
    [{ filters: JSON.stringify([{ name: 'platform', values: ['iOS'] }]), segment: 'platform' }, 0],
    [{ filters: JSON.stringify([{ name: 'platform', values: ['iOS'] }]), segment: 'country' }, 1],
    [{ segment: 'app_version' }, 1],
  ])('reads no customers for active customers that have sums: %j', (query, reads) => {
    expect(effortOf(question('customers_active', query), counts).reads).toBe(reads);
  });
});

describe('the expiry of an answer', () => {
  it.each([
    ['10 minutes', 100, 10 * MINUTE_MS],
    ['60 times as long as it took', MINUTE_MS / 2, 30 * MINUTE_MS],
    ['6 hours', 10 * MINUTE_MS, 6 * HOUR_MS],
    ['midnight', 10 * MINUTE_MS, 2 * HOUR_MS, '22:00'],
  ])('follows after %s', (_, tookMs, ageMs, time = '12:00') => {
    const nowMs = Date.parse(`2026-05-10T${time}:00Z`);
    expect(expiryOf(nowMs, nowMs, tookMs) - nowMs).toBe(ageMs);
  });
});
