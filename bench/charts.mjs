import { copyCustomers } from './charts-copies.mjs';
import { benchChartReceipts } from './charts-receipts.mjs';
import { startChartsWorld } from './charts-world.mjs';
import { percentile } from './percentile.mjs';

/** Ledger rows of a customer, on average. */
const ROWS = 10;
const DAY_MS = 86_400_000;

const filterOf = (name, ...values) => ({ name, values });
const questions = [
  {},
  { currency: 'EUR' },
  { filters: [filterOf('store', 'app_store')], segment: 'country' },
  { filters: [filterOf('country', 'US')], segment: 'product_id' },
  { filters: [filterOf('country', 'GB', 'DE')], segment: 'offering_identifier' },
];

const charts = [
  'revenue',
  'mrr',
  'arr',
  'mrr_movement',
  'actives',
  'actives_movement',
  'actives_new',
  'churn',
  'trials',
  'trials_new',
  'trials_movement',
  'trial_conversion_rate',
  'refund_rate',
  'refunds',
  'non-subscription_purchases',
  'customers_new',
  'customers_active',
  'conversion_to_paying',
  'initial_conversion',
  'ltv_per_customer',
  'ltv_per_paying_customer',
  'subscription_status',
  'subscription_retention',
  'cohort_explorer',
  'paywall_encounter',
  'paywall_conversion',
  'paywall_abandonment',
  'paywall_ltv',
];

/** The question as the chart can be asked. */
function queryOf(chart, { filters, segment, ...rest }) {
  const isTable = chart === 'subscription_retention' || chart === 'cohort_explorer';
  const query = { ...rest, resolution: isTable ? 'month' : 'day' };
  const ofCustomers = chart.startsWith('customers_');
  if (filters) query.filters = ofCustomers ? [filterOf('country', 'US')] : filters;
  const ofPaywalls = chart.startsWith('paywall_');
  const isConversion = chart === 'conversion_to_paying' || chart === 'initial_conversion';
  if (segment && !chart.endsWith('_movement') && chart !== 'cohort_explorer') {
    query.segment = ofPaywalls ? 'paywall' : ofCustomers || isConversion ? 'platform' : segment;
  }
  return query;
}

export async function waitForRollup({ client, serverPid, databasePid }, cpuMs) {
  const used = () => cpuMs(serverPid) + cpuMs(databasePid);
  const waiting = async () =>
    (
      await client.query(
        `SELECT (SELECT count(*)::int FROM chart_changes) AS marks,
           (SELECT count(*)::int FROM chart_dirty_days) + (SELECT count(*)::int FROM chart_projects
             WHERE closed_until IS NULL OR active_days_until IS NULL) + (SELECT count(*)::int FROM chart_active_marks) AS days`,
      )
    ).rows[0];
  const [startedAt, before] = [performance.now(), used()];
  const sinceStart = () => ({
    seconds: (performance.now() - startedAt) / 1000,
    cpu: (used() - before) / 1000,
  });
  let derived = null;
  for (let left = await waiting(); left.marks + left.days > 0; left = await waiting()) {
    if (left.marks === 0) derived ??= sinceStart();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { derived: derived ?? sinceStart(), all: sinceStart() };
}

/** Waits for an answer that is computed in the background. Returns whether it was. */
async function askOnce(url, headers) {
  for (let attempts = 1; ; attempts++) {
    const response = await fetch(url, { headers });
    const body = await response.json();
    if (response.ok) return attempts > 1;
    if (body.reason !== 'chart_computing') throw new Error(`${response.status} ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Asks each chart each question, and prints how long the answers take. */
async function measureAnswers({ url, path, backendHeaders, client, nowMs }, { count, runs }) {
  const range = {
    start_date: new Date(nowMs - 365 * DAY_MS).toISOString().slice(0, 10),
    end_date: new Date(nowMs).toISOString().slice(0, 10),
  };
  const ask = async (chart, query) => {
    const text = new URLSearchParams(
      Object.entries({ ...range, ...query }).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const at = performance.now();
    const isComputed = await askOnce(`${url}${path}/charts/${chart}?${text}`, backendHeaders);
    return { ms: performance.now() - at, isComputed };
  };
  const startedAt = new Date();
  const lines = [];
  for (const chart of charts) {
    const times = [];
    const computed = [];
    for (const question of questions) {
      for (let run = 0; run < runs; run++) {
        const { ms, isComputed } = await ask(chart, queryOf(chart, question));
        (isComputed ? computed : times).push(ms);
      }
    }
    lines.push({
      chart,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      times,
      slowest: computed.length === 0 ? null : Math.max(...computed) / 1000,
    });
  }
  const [{ work }] = (
    await client.query(
      `SELECT coalesce(json_agg(json_build_object('chart', question ->> 'chart', 'parts', pieces,
         'seconds', extract(epoch FROM computed_at - started_at))), '[]') AS work
       FROM chart_questions WHERE state = 'done' AND started_at >= $1`,
      [startedAt],
    )
  ).rows;
  const everything = lines.flatMap(({ times }) => times);
  console.log(
    [
      `${count} customers, 12 months, plain, in EUR and three with a filter and a segment: p50 ${percentile(everything, 0.5).toFixed(0)} ms, p95 ${percentile(everything, 0.95).toFixed(0)} ms`,
      ...lines.map(
        ({ chart, p50, p95, slowest }) =>
          `  ${chart}: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms${
            slowest === null ? '' : `, computed in the background within ${slowest.toFixed(1)} s`
          }`,
      ),
      ...work.map(
        ({ chart, parts, seconds }) =>
          `  in the background: ${chart}, ${parts} parts, ${Number(seconds).toFixed(1)} s`,
      ),
    ].join('\n'),
  );
}

/**
 * Charts of a project with `count` customers: how fast their facts are derived, and how fast the charts are answered,
 * also with each of `copies` times as many customers.
 */
export async function benchCharts({ nodeOn, until, cpuMs, loadOnce, log, count, runs, pairs, copies }) {
  const world = await startChartsWorld({ nodeOn, until, log, count });
  const { client } = world;
  try {
    const { derived, all } = await waitForRollup(world, cpuMs);
    const { rows } = (await client.query('SELECT count(*)::int AS rows FROM store_transactions')).rows[0];
    const facts = (await client.query('SELECT count(*)::int AS rows FROM chart_facts')).rows[0].rows;
    const rate = (seconds) => Math.round(count / seconds);
    console.log(
      [
        `charts: ${count} customers, ${rows} ledger rows (about ${ROWS} for each paying customer), ${facts} facts`,
        `facts: ${derived.seconds.toFixed(1)} s (${rate(derived.seconds)} changed customers a second), processor time of server and database ${derived.cpu.toFixed(1)} s (${rate(derived.cpu)} a second on one core)`,
        `facts and days: ${all.seconds.toFixed(1)} s, processor time ${all.cpu.toFixed(1)} s`,
      ].join('\n'),
    );
    await client.query('VACUUM ANALYZE');
    await measureAnswers(world, { count, runs });
    for (let round = 1; round <= copies.length; round++) {
      const [times, already] = [copies[round - 1], copies[round - 2] ?? 1];
      await copyCustomers(world.databaseUrl, {
        projectId: world.path.split('/').at(-1),
        copies: times / already,
        round,
        log,
      });
      await measureAnswers(world, { count: count * times, runs });
    }
  } finally {
    await world.stop();
  }
  await benchChartReceipts({ nodeOn, until, cpuMs, loadOnce, pairs });
}
