import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { buildOrExit } from './build.mjs';

/**
 * Writes files that are generated from the sources: `node scripts/generate.mjs <name>`, with a name below. With `--check`
 * it writes nothing and fails if a file is out of date; without a name it then checks all that have a `command` to
 * repair them.
 */
const generators = {
  configuration: { command: 'docs:configuration', load: () => import('./generate/configuration.mjs') },
  sdk: { command: 'docs:sdk', load: () => import('./generate/sdk-compatibility.mjs') },
  charts: { command: 'docs:charts', load: () => import('./generate/charts.mjs') },
  'decision-table': { command: 'docs:decision-table', load: () => import('./generate/decision-table.mjs') },
  openapi: { command: 'openapi', load: () => import('./generate/openapi.mjs') },
  // Needs a database; test/contract/schema.e2e-spec.ts checks that the file is up to date.
  indexes: { load: () => import('./generate/expected-indexes.mjs') },
  // Git ignores the file, and no build contains it.
  'dashboard-types': { needsNoBuild: true, load: () => import('./generate/dashboard-types.mjs') },
};

const root = new URL('../', import.meta.url);
const ignorePath = ['.gitignore', '.prettierignore'].map((name) => new URL(name, root).pathname);

/** Formats as `npm run format` would, so that it leaves generated files alone. */
async function formatted(file, text) {
  const { ignored, inferredParser } = await getFileInfo(file, { ignorePath });
  return ignored ? text : format(text, { ...(await resolveConfig(file)), parser: inferredParser });
}

const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const names = args.filter((arg) => arg !== '--check');
if (isCheck && names.length === 0)
  names.push(...Object.keys(generators).filter((name) => generators[name].command));
if (names.length === 0 || names.some((name) => !Object.hasOwn(generators, name))) {
  process.stderr.write(`usage: node scripts/generate.mjs <${Object.keys(generators).join('|')}> [--check]\n`);
  process.exit(1);
}

if (names.some((name) => !generators[name].needsNoBuild)) await buildOrExit();
for (const name of names) {
  const { command, load } = generators[name];
  const { generate } = await load();
  for (const [path, raw] of Object.entries(await generate({ isCheck }))) {
    const file = new URL(path, root);
    const text = await formatted(file, raw);
    if (!isCheck) {
      writeFileSync(file, text);
    } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      process.stderr.write(`${path} is out of date: npm run ${command}\n`);
      process.exitCode = 1;
    }
  }
}
