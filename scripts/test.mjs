import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jestArguments } from './jest-arguments.mjs';

/**
 * Runs Jest with native ES modules. Arguments go to Jest; a word chooses the test files with it in their path, and
 * without a choice of projects the unit and the end-to-end tests run. `--pooler` puts PgBouncer in transaction mode before the
 * database; with `--citus` it is a cluster, started from the programs in `CITUS_BIN`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const args = jestArguments(
  given.filter((arg) => arg !== '--pooler' && arg !== '--citus'),
  root,
);
if (given.includes('--pooler')) process.env.TEST_POOLER = 'pgbouncer';
if (given.includes('--citus')) process.env.TEST_CITUS = 'true';

/** A change is judged by the same cases each time; SEED=random looks for others and says which. */
const seed = process.env.SEED === 'random' ? randomInt(2 ** 31) : (process.env.SEED ?? 20_260_102);
if (process.env.SEED === 'random') process.stdout.write(`SEED=${seed}\n`);

const jest = spawn(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SEED: String(seed),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
