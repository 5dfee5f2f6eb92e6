import type { CatalogCounts, ImportReport } from './report.model.js';

const MAX_LINES = 50;

/** Data that cannot be imported. */
const NOT_CARRIED =
  'Not carried over: store credentials, webhooks, paywalls, experiments, targeting, other integrations, discounts, web billing settings.';

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES - 1) : lines;
  const more = lines.length - shown.length;
  return ['', title, ...shown.map((line) => `  ${line}`), ...(more > 0 ? [`  … and ${more} more`] : [])];
}

function catalogLine(name: string, { created, matched, updated }: CatalogCounts): string {
  return `${name}: ${created} created, ${matched} matched, ${updated} updated`;
}

/** Formats the report as text with sections. */
export function reportText(report: ImportReport): string {
  const { catalog, customers, public_keys: keys, google_tokens: tokens, requests } = report;
  const head = report.dry_run
    ? 'Dry run: nothing was written.'
    : report.complete
      ? 'Import finished.'
      : 'Import not finished.';
  const lines = [
    `${head} Pass ${report.pass}: ${report.source.project} to ${report.target.project} at ${report.target.url}`,
    ...section('Catalog', [
      catalogLine('apps', catalog.apps),
      catalogLine('products', catalog.products),
      catalogLine('entitlements', catalog.entitlements),
      catalogLine('offerings', catalog.offerings),
      catalogLine('packages', catalog.packages),
      catalogLine('virtual currencies', catalog.virtual_currencies),
      `public keys: ${keys.set} set, ${keys.kept} kept, ${keys.failed} failed`,
    ]),
    ...section('Customers', [
      `read ${customers.read}: ${customers.created} created, ${customers.updated} updated, ${customers.merged} merged`,
      `gone meanwhile ${customers.gone}, not imported ${customers.failed}, found by catch-up ${customers.found_by_catch_up}`,
      `subscriptions ${report.subscriptions}, one-time purchases ${report.purchases}, transactions ${report.transactions}, balances ${report.balances}`,
      `waiting for a purchase token ${report.needs_token_refresh}, original ids not confirmed ${report.unconfirmed_original_ids}`,
      ...(tokens.rows > 0
        ? [`token file: ${tokens.rows} rows, ${tokens.used} used, ${tokens.unmatched} matched nothing`]
        : []),
    ]),
    ...section(
      'Store credentials to enter',
      report.credentials_missing.map(({ app_id, name, type }) => `${app_id} ${type} ${name}`),
    ),
    ...section(
      'Left out',
      report.skipped.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`),
    ),
    ...section(
      'Notes',
      report.notes.map(({ id, note }) => `${id}: ${note}`),
    ),
    ...section(
      'Not imported',
      report.errors.map(({ id, message }) => `${id}: ${message}`),
    ),
    '',
    NOT_CARRIED,
    `Requests: ${requests.source} to the source, ${requests.target} to the target; ${requests.rate_limited_seconds} s waited for rate limits.`,
  ];
  return `${lines.join('\n')}\n`;
}
