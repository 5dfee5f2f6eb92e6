import { buildOrExit } from '../../scripts/build.mjs';
import { Cluster } from './cluster.mjs';
import * as database from './runs/database.mjs';
import * as drain from './runs/drain.mjs';
import * as duplicates from './runs/duplicates.mjs';
import * as kills from './runs/kills.mjs';
import * as overload from './runs/overload.mjs';
import * as reads from './runs/reads.mjs';
import * as webhooks from './runs/webhooks.mjs';

/**
 * What must hold when things fail, tried on a real fleet: `npm run test:chaos`. `-- --short` takes about two minutes
 * and leaves out the long runs, `-- --only <run>` does one, with `--kills <n>` so many kills. Each run prints its
 * figures, and fails with what does not hold.
 */
const runs = { kills, database, drain, overload, reads, duplicates, webhooks };

const log = (text) => process.stdout.write(`${text}\n`);
const argument = (name) => {
  const index = process.argv.indexOf(name);
  return index === -1 ? null : process.argv[index + 1];
};

function printTable(figures) {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, value] of Object.entries(figures)) log(`  ${name.padEnd(width)}  ${value}`);
}

async function perform(name, cluster, short) {
  const { about, limitS, run } = runs[name];
  log(`\n${name}: ${about}`);
  const startedAt = performance.now();
  const overdue = setTimeout(() => {
    log(`FAILED ${name}: not finished after ${limitS} s`);
    process.exit(1);
  }, limitS * 1000);
  const problems = [];
  try {
    const result = await run({ cluster, short, log, kills: Number(argument('--kills')) || null });
    problems.push(...result.problems);
    printTable({ ...result.figures, took: `${((performance.now() - startedAt) / 1000).toFixed(0)} s` });
  } catch (error) {
    problems.push(error.stack);
  }
  clearTimeout(overdue);
  for (const problem of problems) log(`FAILED ${name}: ${problem}`);
  if (problems.length === 0) log('  ok');
  return problems.length === 0;
}

const only = argument('--only');
if (only !== null && !Object.hasOwn(runs, only)) {
  log(`--only takes one of ${Object.keys(runs).join(', ')}`);
  process.exit(2);
}
await buildOrExit();
const cluster = new Cluster();
await cluster.start();
const short = process.argv.includes('--short');
const failed = [];
for (const name of only === null ? Object.keys(runs) : [only]) {
  if (short && only === null && runs[name].isLong) continue;
  if (!(await perform(name, cluster, short))) failed.push(name);
}
await cluster.stop();
log(failed.length === 0 ? '\nall runs held' : `\nfailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
