import {
  type Difference,
  type DifferentValue,
  differenceTypes,
  type SidePair,
  type VerifyReport,
} from './verify.model.js';

const MOST_LINES = 50;

const TITLES = {
  missing_in_target: 'customers that the target does not know',
  only_in_target: 'customers that only the target knows (no difference)',
  entitlement_missing: 'entitlements missing at the target',
  entitlement_extra: 'entitlements that only the target gives',
  expiry: 'entitlements that end at another time',
  subscription_count: 'customers with another number of subscriptions that give access',
  purchase_count: 'customers with another number of one-time purchases',
  balance: 'balances that differ',
} as const;

/** Formats the report as text: totals, then each kind of difference with at most 50 lines. */
export function verifyText(report: VerifyReport): string {
  const { customers, access_subscriptions: subscriptions } = report;
  const lines = [
    `Compared ${count(customers.checked)} customers of ${report.source.project} with ${report.target.project} at ${report.target.url}.`,
    '',
    row('', { source: 'source', target: 'target' }),
    row('customers', customers),
    row('active entitlements', report.entitlements),
    row('subscriptions that give access', subscriptions),
    row('  production', subscriptions.production),
    row('  sandbox', subscriptions.sandbox),
  ];
  for (const type of differenceTypes) {
    const total = report.by_type[type];
    if (total > 0) lines.push('', `${count(total)} ${TITLES[type]}:`, ...listed(report, type, total));
  }
  if (report.fixed > 0) lines.push('', `${count(report.fixed)} customers were imported again.`);
  const total = report.differences.length + report.differences_left_out;
  const fixable = report.differences.filter((each) => each.fixable_by_import).length;
  lines.push('');
  if (total === 0) lines.push('No differences.');
  else if (fixable === 0) lines.push(`${count(total)} differences.`);
  else
    lines.push(`${count(total)} differences; another import may remove ${count(fixable)} of them (--fix).`);
  return `${lines.join('\n')}\n`;
}

function listed(report: VerifyReport, type: keyof typeof TITLES, total: number): string[] {
  const lines =
    type === 'only_in_target'
      ? report.only_in_target.slice(0, MOST_LINES).map((id) => `  ${id}`)
      : report.differences
          .filter((each) => each.type === type)
          .slice(0, MOST_LINES)
          .map(line);
  return total > lines.length
    ? [...lines, `  and ${count(total - lines.length)} more (--json lists them)`]
    : lines;
}

function line({ id, type, source, target }: Difference): string {
  if (type === 'missing_in_target') return `  ${id}`;
  return `  ${id}: ${shown(source)} at the source, ${shown(target)} at the target`;
}

function shown(value: DifferentValue): string {
  if (value === null) return 'nothing';
  if (typeof value !== 'object') return String(value);
  if ('code' in value) return `${count(value.balance)} ${value.code}`;
  const { lookup_key, expires_at } = value;
  const end = expires_at === null ? 'without an end' : `until ${new Date(expires_at).toISOString()}`;
  return `${lookup_key} ${end}`;
}

function row(title: string, { source, target }: SidePair | Record<keyof SidePair, string>): string {
  const cell = (value: number | string) => (typeof value === 'number' ? count(value) : value).padStart(12);
  return `${title.padEnd(32)}${cell(source)}${cell(target)}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
