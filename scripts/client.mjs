import { buildClient } from './client/build.mjs';

/**
 * Builds the client for backends, packages/node, from docs/openapi.json. With `--check` it also generates it a second
 * time, which must give the same, and compiles the calls of the last release.
 */
try {
  const done = await buildClient();
  process.stdout.write(done ? 'built packages/node\n' : 'packages/node is up to date\n');
  if (process.argv.includes('--check')) {
    const { clientProblems } = await import('./client/check.mjs');
    const problems = await clientProblems();
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
