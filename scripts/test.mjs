import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * Runs Jest with native ES modules. Arguments go to Jest; without a choice of projects the unit and the
 * end-to-end suites run.
 */
const args = process.argv.slice(2);
if (!args.some((arg) => /^--selectProjects(=|$)/.test(arg))) args.push('--selectProjects', 'unit', 'e2e');

const jest = spawn(
  process.execPath,
  [fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url)), ...args],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
