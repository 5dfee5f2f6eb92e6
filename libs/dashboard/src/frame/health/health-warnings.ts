import type { SetupHealth } from './setup-health.queries.js';
import { storeName } from '../../api/words.js';

/** The page that fixes a warning. */
export type Cure =
  | { page: 'app'; appId: string }
  | { page: 'webhook'; webhookId: string }
  | { page: 'products'; appId: string }
  | { page: 'transactions' }
  | { page: 'paywalls' };

export interface HealthWarning {
  id: string;
  /** `bad`: does not work; `warn`: unfinished, or figures are wrong; `accent`: could be more secure. */
  tone: 'bad' | 'warn' | 'accent';
  /** The name of the app or webhook. */
  subject: string;
  text: string;
  cure: Cure;
}

type AppHealth = SetupHealth['apps'][number];

function ofApp(app: AppHealth): HealthWarning[] {
  const found: Omit<HealthWarning, 'subject' | 'cure'>[] = [];
  const add = (name: string, tone: HealthWarning['tone'], text: string) =>
    found.push({ id: `${app.id}:${name}`, tone, text });
  if (app.credentials_error) add('refused', 'bad', app.credentials_error.message);
  if (!app.credentials_configured)
    add('credentials', 'warn', 'Store credentials are missing: purchases cannot be verified.');
  if (app.notification_status === 'failing' && app.last_notification_error)
    add('notifications', 'bad', `The last store notification failed: ${app.last_notification_error.message}`);
  if (app.notification_status === 'unsigned' && app.last_notification_error)
    add('unsigned', 'bad', app.last_notification_error.message);
  if (app.notification_status === 'waiting' && app.notification_url !== null && app.credentials_configured)
    add(
      'waiting',
      'warn',
      'No store notification has arrived: renewals and cancellations are detected late.',
    );
  if (app.refused_refund_answer)
    add(
      'refund-answer',
      'bad',
      `Apple refused the answer to a refund request: ${app.refused_refund_answer.message}`,
    );
  if (app.refused_external_report)
    add(
      'external-report',
      'bad',
      `The store refused a report about an outside purchase: ${app.refused_external_report.message}`,
    );
  app.external_report_hints.forEach((hint, index) => add(`external-report-${index}`, 'warn', hint));
  if (app.notifications_hint) add('notifications-hint', 'accent', app.notifications_hint);
  if (app.receipts_hint) add('receipts-hint', 'accent', app.receipts_hint);
  return found.map((warning) => ({
    ...warning,
    subject: app.name,
    cure: { page: 'app', appId: app.id },
  }));
}

function ofWebhooks({ failing }: SetupHealth['webhooks']): HealthWarning[] {
  return failing.map((webhook) => ({
    id: webhook.id,
    tone: 'bad',
    subject: webhook.name,
    text: `The last delivery failed: ${webhook.last_error ?? `status ${webhook.last_status}`}`,
    cure: { page: 'webhook', webhookId: webhook.id },
  }));
}

function ofUnknownProducts(products: SetupHealth['unknown_products']): HealthWarning[] {
  return products.map(({ app_id: appId, app_name: subject, store_identifier: product, transactions }) => ({
    id: `${appId}:${product}`,
    tone: 'bad',
    subject,
    text: `${product} was bought ${transactions === 1 ? 'once' : `${transactions} times`} but is not in the catalog, so it unlocks nothing.`,
    cure: { page: 'products', appId },
  }));
}

function ofRentals(products: SetupHealth['rentals_without_duration']): HealthWarning[] {
  return products.map(({ app_id: appId, app_name: subject, store_identifier: product, purchases }) => ({
    id: `${appId}:${product}:rental`,
    tone: 'bad',
    subject,
    text: `${product} was rented ${purchases === 1 ? 'once' : `${purchases} times`}, but the product has no rental length, so its rentals unlock nothing. Edit the product and set it.`,
    cure: { page: 'products', appId },
  }));
}

function ofCurrencies(warnings: SetupHealth['warnings']): HealthWarning[] {
  const found = warnings.filter((warning) => warning.type === 'unknown_currency');
  return found.map(({ currency, message, transactions }) => ({
    id: `currency:${currency}`,
    tone: 'warn',
    subject: currency,
    text: `${message} ${transactions === 1 ? 'One transaction is' : `${transactions} transactions are`} affected. The server's SERVICE_FX_PROVIDER can add a source of rates.`,
    cure: { page: 'transactions' },
  }));
}

function ofUnknownValues({ apps, unknown_store_values: values }: SetupHealth): HealthWarning[] {
  const stores = new Map(apps.map(({ id, type }) => [id, storeName(type)]));
  return values.map(({ app_id: appId, app_name: subject, field, value, count }) => ({
    id: `${appId}:${field}:${value}`,
    tone: 'warn',
    subject,
    text: `${stores.get(appId) ?? 'A store'} sent a value this server does not know: ${value === '' ? field : `${field} = ${value}`} (${count === 1 ? 'once' : `${count} times`}). It was stored and had no effect.`,
    cure: { page: 'app', appId },
  }));
}

function ofAddress(warnings: SetupHealth['warnings']): HealthWarning[] {
  const found = warnings.filter((warning) => warning.type === 'unreachable_address');
  return found.map(({ address, message }) => ({
    id: 'address',
    tone: 'warn',
    subject: address,
    text: message,
    cure: { page: 'paywalls' },
  }));
}

const order = ['bad', 'warn', 'accent'];

/** Returns the problems of a project's setup, worst first. */
export function healthWarnings(health: SetupHealth): HealthWarning[] {
  return [
    ...health.apps.flatMap(ofApp),
    ...ofWebhooks(health.webhooks),
    ...ofUnknownProducts(health.unknown_products),
    ...ofRentals(health.rentals_without_duration),
    ...ofCurrencies(health.warnings),
    ...ofAddress(health.warnings),
    ...ofUnknownValues(health),
  ].sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
}
