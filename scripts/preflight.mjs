import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Whether `version` (`v20.19.0`) is at least `wanted` (`20.19`). */
function isAtLeast(version, wanted) {
  const [major, minor] = version.slice(1).split('.').map(Number);
  const [wantedMajor, wantedMinor = 0] = wanted.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/**
 * What keeps the programs of a checkout from running at all, in a sentence that says what to do; null: nothing does.
 * Runs on old versions of Node.js, and without any package.
 */
export function preflightFailure(root, version = process.version) {
  const { engines, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = engines.node.replace('>=', '');
  if (!isAtLeast(version, wanted)) {
    return `Tenure needs Node.js ${wanted} or later, and this is ${version.slice(1)}. Install a newer one (https://nodejs.org).`;
  }
  const { resolve } = createRequire(join(root, 'package.json'));
  const missing = Object.keys(dependencies).filter(
    (name) => !resolve.paths(name).some((folder) => existsSync(join(folder, name))),
  );
  if (missing.length === 0) return null;
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
  return `The packages are not installed (${missing[0]}${more} missing). Run "npm ci" first.`;
}
