import { spawnSync } from 'node:child_process';

/**
 * Asks the registry for known vulnerabilities of what the server runs on. Fails for high and critical ones, and where
 * nothing was audited: some mirrors do not answer audits. `--allow-unaudited` turns the latter into a warning.
 */
const allowUnaudited = process.argv.includes('--allow-unaudited');

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Why nothing was audited, or null if something was. */
function unauditedReason({ vulnerabilities, metadata, error, message }) {
  if (vulnerabilities === undefined) return error?.summary || message || 'npm audit printed no result';
  const total = metadata?.dependencies?.total ?? 0;
  return total > 0 ? null : 'npm found no dependencies in the lock file';
}

const answer = parsed(stdout);
const reason = unauditedReason(answer);
if (reason !== null) {
  const kind = allowUnaudited ? 'WARNING' : 'ERROR';
  const line = '*'.repeat(80);
  const help =
    'Run `npm run check:dependencies` against a registry that answers audits, such as registry.npmjs.org.';
  console.error(`${line}\n${kind}: no dependency was audited: ${reason}\n${help}\n${line}`);
  if (process.env.GITHUB_ACTIONS) console.log(`::warning::No dependency was audited: ${reason}`);
  process.exit(allowUnaudited ? 0 : 1);
}
const { vulnerabilities, metadata } = answer;
const found = Object.values(vulnerabilities).filter(({ severity }) =>
  ['high', 'critical'].includes(severity),
);
for (const { name, severity, range, via } of found) {
  const titles = via.flatMap((cause) => cause.title ?? []).join('; ');
  console.error(`${severity}: ${name} ${range} ${titles}`);
}
console.log(
  `${metadata.dependencies.total} dependencies audited: ${found.length} high or critical of ` +
    `${Object.keys(vulnerabilities).length} known vulnerabilities`,
);
process.exit(found.length === 0 ? 0 : 1);
