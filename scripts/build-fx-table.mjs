import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes libs/money/fx-reference.json from dated versions of the npm package @fawazahmed0/currency-api (daily
 * mid-market rates, one file with the units of each currency per USD): one day near the middle of each month,
 * and the newest day. Run by hand now and then: `node scripts/build-fx-table.mjs`.
 */
const PACKAGE = '@fawazahmed0/currency-api';
const target = new URL('../libs/money/fx-reference.json', import.meta.url).pathname;
const isoCodes = new Set(Intl.supportedValuesOf('currency'));

const versions = JSON.parse(
  execFileSync('npm', ['view', PACKAGE, 'versions', '--json'], { encoding: 'utf8' }),
)
  .map((version) => ({
    version,
    day: version
      .split('.')
      .map((part) => part.padStart(2, '0'))
      .join('-'),
  }))
  .filter(({ day }) => /^\d{4}-\d{2}-\d{2}$/.test(day))
  .sort((a, b) => (a.day < b.day ? -1 : 1));

function ratesOf(version) {
  const folder = mkdtempSync(join(tmpdir(), 'fx-'));
  try {
    const file = execFileSync('npm', ['pack', `${PACKAGE}@${version}`, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    });
    execFileSync('tar', ['xzf', file.trim(), 'package/v1/currencies/usd.json'], { cwd: folder });
    const { usd } = JSON.parse(readFileSync(join(folder, 'package/v1/currencies/usd.json'), 'utf8'));
    const entries = Object.entries(usd)
      .map(([code, rate]) => [code.toUpperCase(), Number(rate.toPrecision(6))])
      .filter(([code, rate]) => isoCodes.has(code) && rate > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const byMonth = new Map();
for (const candidate of versions) {
  const month = candidate.day.slice(0, 7);
  const distance = ({ day }) => Math.abs(Number(day.slice(8)) - 15);
  const known = byMonth.get(month);
  if (!known || distance(candidate) < distance(known)) byMonth.set(month, candidate);
}
const months = {};
for (const [month, { version }] of byMonth) {
  months[month] = ratesOf(version);
  process.stderr.write(`${month}: ${Object.keys(months[month]).length} currencies\n`);
}
const newest = versions.at(-1);
const lines = Object.entries(months).map(
  ([month, rates]) => `    ${JSON.stringify(month)}: ${JSON.stringify(rates)}`,
);
writeFileSync(
  target,
  `{\n  "source": ${JSON.stringify(`npm ${PACKAGE}`)},\n  "unit": "units of the currency per USD",\n  "latest": {\n` +
    `    ${JSON.stringify(newest.day)}: ${JSON.stringify(ratesOf(newest.version))}\n  },\n` +
    `  "months": {\n${lines.join(',\n')}\n  }\n}\n`,
);
