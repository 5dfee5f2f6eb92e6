import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Checks of the sources, run in parallel, the longest first. */
const CHECKS = [
  ['eslint .'],
  ['npm run --silent typecheck'],
  ['prettier --check . --log-level warn'],
  ['node scripts/lint/documents.mjs'],
  ['npm run --silent boundaries'],
  ['npm run --silent unused'],
  ['node scripts/build.mjs', 'node scripts/dashboard-budget.mjs', 'node scripts/generate.mjs --check'],
  ['node scripts/client.mjs --check'],
  ['npm run --silent lint:workflows'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const env = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` };

/** Runs a command, prints its output in one piece, and returns whether it succeeded. */
function run(command) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (status) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      process.stdout.write(`${status === 0 ? 'ok' : 'FAILED'}  ${command} (${seconds} s)\n${output}`);
      resolve(status === 0);
    });
  });
}

async function runInTurn(commands) {
  for (const command of commands) if (!(await run(command))) return false;
  return true;
}

/** Other checks read the files that these commands write. */
let holds = await run('node scripts/generate.mjs dashboard-types && node scripts/client.mjs');
const waiting = [...CHECKS];
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) holds = (await runInTurn(next)) && holds;
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = holds ? 0 : 1;
