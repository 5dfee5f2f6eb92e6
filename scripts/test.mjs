import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * Runs Jest with native ES modules. Arguments go to Jest; without a choice of projects the unit and the
 * end-to-end suites run.
 */
const args = process.argv.slice(2);
if (!args.some((arg) => /^--selectProjects(=|$)/.test(arg))) args.push('--selectProjects', 'unit', 'e2e');

/** A change is judged by the same cases each time; SEED=random looks for others and says which. */
const seed = process.env.SEED === 'random' ? randomInt(2 ** 31) : (process.env.SEED ?? 20_260_102);
if (process.env.SEED === 'random') process.stdout.write(`SEED=${seed}\n`);

const jest = spawn(
  process.execPath,
  [fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url)), ...args],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      SEED: String(seed),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
