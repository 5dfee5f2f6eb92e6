import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes libs/money/fx-reference.json from dated versions of the npm package @fawazahmed0/currency-api (daily
 * mid-market rates, one file with the units of each currency per USD): one day near the middle of each month,
 * and the newest day. Run by hand now and then: `node scripts/build-fx-table.mjs`. It loads one archive a month,
 * one after the other, to a temporary folder.
 */
const PACKAGE = '@fawazahmed0/currency-api';
const RATES_FILE = 'package/v1/currencies/usd.json';
const MIDDLE_OF_MONTH = 15;
const SIGNIFICANT_DIGITS = 6;
/** A rate this many times away from both the row before and the row after it is an error of the source. */
const IMPLAUSIBLE_FACTOR = 3;
const target = fileURLToPath(new URL('../libs/money/fx-reference.json', import.meta.url));

/** ISO 4217 codes of currencies that people pay with (no metals, funds or accounting units). */
const IN_USE = `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
  CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
  HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL
  MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
  RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH
  UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;
/** Withdrawn since the first month of the table: purchases in them are still imported. */
const WITHDRAWN_SINCE = 'ANG BGN SLL';
const currencies = `${IN_USE} ${WITHDRAWN_SINCE}`.split(/\s+/).sort();

/** Versions are dates without leading zeros, `2024.3.15`; others (if any) are skipped. Oldest first. */
function datedVersions() {
  const answer = execFileSync('npm', ['view', PACKAGE, 'versions', '--json'], { encoding: 'utf8' });
  const dated = [];
  for (const version of [JSON.parse(answer)].flat()) {
    const day = version
      .split('.')
      .map((part) => part.padStart(2, '0'))
      .join('-');
    if (/^\d{4}-\d{2}-\d{2}$/.test(day)) dated.push({ version, day });
  }
  return dated.sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Of each month the version nearest to its middle, by month. */
function oneAMonth(versions) {
  const distance = ({ day }) => Math.abs(Number(day.slice(8)) - MIDDLE_OF_MONTH);
  const byMonth = new Map();
  for (const candidate of versions) {
    const month = candidate.day.slice(0, 7);
    const known = byMonth.get(month);
    if (!known || distance(candidate) < distance(known)) byMonth.set(month, candidate);
  }
  return byMonth;
}

/** Units per USD by currency code, of one version of the package. */
function ratesOf(version) {
  const folder = mkdtempSync(join(tmpdir(), 'fx-'));
  try {
    const archive = execFileSync('npm', ['pack', `${PACKAGE}@${version}`, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    });
    execFileSync('tar', ['xzf', archive.trim(), RATES_FILE], { cwd: folder });
    const { usd } = JSON.parse(readFileSync(join(folder, RATES_FILE), 'utf8'));
    const rates = {};
    for (const code of currencies) {
      const rate = usd[code.toLowerCase()];
      if (rate > 0) rates[code] = Number(rate.toPrecision(SIGNIFICANT_DIGITS));
    }
    return rates;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes rates that no neighbouring row confirms (the package once gave 0.69 tugrik per USD, not 3,570). */
function dropGlitches(rows) {
  for (const code of currencies) {
    const known = rows.filter((row) => code in row.rates);
    const rates = known.map((row) => row.rates[code]);
    const agree = (a, b) => b !== undefined && Math.max(a / b, b / a) < IMPLAUSIBLE_FACTOR;
    for (const [index, row] of known.entries()) {
      const rate = rates[index];
      if (agree(rate, rates[index - 1]) || agree(rate, rates[index + 1])) continue;
      process.stderr.write(`${row.day}: ${code} left out, ${rate} is implausible\n`);
      delete row.rates[code];
    }
  }
}

/** The object as JSON with one line for each of its members. */
function linesOf(object) {
  const lines = Object.entries(object).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n  }`;
}

const versions = datedVersions();
const rows = [];
for (const [month, { version, day }] of oneAMonth(versions))
  rows.push({ month, day, rates: ratesOf(version) });
const { version, day } = versions.at(-1);
const latest = { day, rates: ratesOf(version) };
dropGlitches([...rows, latest]);
const members = {
  source: JSON.stringify(`npm ${PACKAGE}: mid-market rates of one day near the middle of each month`),
  unit: JSON.stringify('units of the currency per USD, 6 significant digits'),
  latest: linesOf({ [latest.day]: latest.rates }),
  monthDays: JSON.stringify(Object.fromEntries(rows.map((row) => [row.month, row.day]))),
  months: linesOf(Object.fromEntries(rows.map((row) => [row.month, row.rates]))),
};
const text = Object.entries(members).map(([name, json]) => `  "${name}": ${json}`);
writeFileSync(target, `{\n${text.join(',\n')}\n}\n`);
