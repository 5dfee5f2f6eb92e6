import { buildOrExit } from '../../../scripts/build.mjs';
import { hasPrometheus, ruleGroups } from '../../support/prometheus.mjs';
import { log, until } from '../programs.mjs';
import { faults } from './faults.mjs';
import { FACTOR, openStage, pause } from './stage.mjs';

/**
 * Fires each alert of docker/grafana once, by a real fault: `npm run test:alerts`, some ten minutes. Durations of the
 * rules are a thirtieth. `-- --only <Alert>` tries the fault of one. Fails when an alert did not fire, or had fired at any
 * time before its fault: the order of the faults is such that none fires what is tried later.
 */
const HEALTHY_MS = 25_000;
const FIRES_WITHIN_MS = 120_000;
const BACKGROUND_WITHIN_MS = 600_000;
const POLL_MS = 250;

const position = process.argv.indexOf('--only');
const only = position < 0 ? null : process.argv[position + 1];

/** Notes when each alert fires first (ms of `performance.now`). */
function watch(prometheus) {
  const firstAt = new Map();
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      for (const { name, state } of await prometheus.rules().catch(() => [])) {
        if (state === 'firing' && !firstAt.has(name)) firstAt.set(name, performance.now());
      }
      await pause(POLL_MS);
    }
  })();
  return {
    firstAt,
    stop: () => {
      isOver = true;
      return running;
    },
  };
}

async function perform(stage, { what, alerts, inBackground, cause }, { firstAt }, results) {
  for (const name of alerts.filter((one) => firstAt.has(one))) {
    results.problems.push(`${name} fired before its fault: ${what}`);
  }
  const startedAt = performance.now();
  const end = await cause(stage);
  const limitMs = inBackground ? BACKGROUND_WITHIN_MS : FIRES_WITHIN_MS;
  const haveFired = () => alerts.every((name) => firstAt.has(name));
  await until('alerts fire', haveFired, limitMs).catch(() => undefined);
  await end();
  for (const name of alerts) {
    const at = firstAt.get(name);
    if (at === undefined) results.problems.push(`${name} did not fire: ${what}`);
    results.rows.push([name, what, at === undefined ? 'never' : ((at - startedAt) / 1_000).toFixed(0)]);
    log(results.rows.at(-1).join(' | '));
  }
}

async function tryAll(stage, results) {
  const watched = watch(stage.prometheus);
  await pause(HEALTHY_MS);
  const background = [];
  for (const fault of faults.filter(({ alerts }) => only === null || alerts.includes(only))) {
    const performed = perform(stage, fault, watched, results);
    if (fault.inBackground) background.push(performed);
    else await performed;
  }
  await Promise.all(background);
  await watched.stop();
}

if (!hasPrometheus()) {
  log('This needs prometheus and promtool: apt-get install prometheus');
  process.exit(1);
}
await buildOrExit();
const known = ruleGroups().flatMap(({ rules }) => rules.map(({ alert }) => alert));
const tried = faults.flatMap(({ alerts }) => alerts);
const results = {
  rows: [],
  problems: known.filter((name) => !tried.includes(name)).map((name) => `no fault fires ${name}`),
};
const startedAt = performance.now();
const stage = await openStage();
try {
  await tryAll(stage, results);
} catch (error) {
  results.problems.push(error.stack);
} finally {
  await stage.close();
}
log(`\n| alert | fault | fired after s (durations of the rules divided by ${FACTOR}) |\n| --- | --- | --- |`);
for (const row of results.rows.toSorted(([a], [b]) => known.indexOf(a) - known.indexOf(b)))
  log(`| ${row.join(' | ')} |`);
log(
  `\n${results.rows.length} of ${known.length} alerts, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
);
for (const problem of results.problems) log(`FAILED ${problem}`);
process.exit(results.problems.length === 0 ? 0 : 1);
