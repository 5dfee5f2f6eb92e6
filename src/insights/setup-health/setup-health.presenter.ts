import type { App } from '../../catalog/apps/app.entity.js';
import { credentialsConfigured } from '../../catalog/apps/credentials.js';
import type { AppType } from '../../platform/principal/app-types.js';
import type { SdkVersion } from '../../customers/customers/identity/customer-lists.repository.js';
import type { UnknownProduct } from '../metrics/unknown-products.service.js';
import type { NotificationHealth } from '../../stores/notifications/notification-health.service.js';
import type { CredentialFailure } from '../../stores/shared/credential-health.service.js';
import type { EndlessRental } from '../../purchases/lookups/purchase-lookups.service.js';
import type { UnconvertedMoney } from '../../purchases/transactions/transactions.repository.js';
import type {
  RefusedReport,
  WaitingReports,
} from '../../purchases/external-reports/external-purchase-reports.repository.js';
import type { UnknownValueRow } from '../../purchases/unknown-values/unknown-values.repository.js';
import type { RefusedAnswer } from '../../stores/refund-requests/refund-requests.repository.js';
import type { DeliveryHealth } from '../../webhooks/deliveries/integrations/delivery-health.service.js';
import { notificationState } from './notification-state.js';
import { reportHints } from './report-hints.js';
import type { SetupHealthDto } from './setup-health.dto.js';

/** The flavor that SDKs report without a wrapper. */
const UNWRAPPED = 'native';

export interface SetupHealth {
  projectId: string;
  checkedAtMs: number;
  apps: App[];
  /** By app id. */
  stores: {
    credentials: ReadonlyMap<string, CredentialFailure>;
    notifications: ReadonlyMap<string, NotificationHealth>;
    addresses: ReadonlyMap<string, string | null>;
    refusedReports: ReadonlyMap<string, RefusedReport>;
    waitingReports: readonly WaitingReports[];
    refusedAnswers: ReadonlyMap<string, RefusedAnswer>;
  };
  webhooks: DeliveryHealth;
  sdkVersions: SdkVersion[];
  unconverted: UnconvertedMoney[];
  unknownProducts: UnknownProduct[];
  endlessRentals: EndlessRental[];
  /** Most recent first. */
  unknownValues: UnknownValueRow[];
}

/** Google signs tokens for any service account, so checking only the audience would accept pushes from all of them. */
function notificationsHint({ type, storeSettings }: App): string | null {
  const { pubsub_audience: audience, pubsub_service_account: account } = storeSettings;
  if (type !== 'play_store' || audience === undefined || account !== undefined) return null;
  return 'Pushes signed by any Google service account are accepted: set pubsub_service_account.';
}

const storesWithOpenIds: ReadonlySet<AppType> = new Set<AppType>(['paddle', 'stripe']);

/** Purchase ids of these stores prove nothing about the caller, and every user of the app can read the public key. */
function receiptsHint({ type, storeSettings }: App): string | null {
  if (!storesWithOpenIds.has(type) || storeSettings.require_secret_key_for_receipts) return null;
  return 'Anyone who learns the id of a purchase can post it with the public key: set require_secret_key_for_receipts.';
}

/** What keeps answers to refund requests from being sent, and what makes them unsafe. */
function refundHints(app: App): string[] {
  const { type, storeSettings } = app;
  if ((storeSettings.refund_request_handling ?? 'do_not_handle') === 'do_not_handle') return [];
  const isGoogle = type === 'play_store';
  const hints: string[] = [];
  if (!credentialsConfigured(app))
    hints.push(
      `Answers wait for ${isGoogle ? 'the service account' : 'the in-app purchase key'} of the app.`,
    );
  if (!isGoogle && (storeSettings.refund_data_consent ?? 'none') === 'none')
    hints.push('Nothing is sent to Apple until refund_data_consent confirms that your customers agree.');
  if (isGoogle && storeSettings.pubsub_audience === undefined)
    hints.push(
      'Anyone can report a chargeback: set pubsub_audience, so that only pushes of Google are accepted.',
    );
  if (storeSettings.refund_attributes_from_sdk === true)
    hints.push(
      'Users of the app can set attributes that decide about refunds: unset refund_attributes_from_sdk.',
    );
  return hints;
}

function presentApp({ stores }: SetupHealth, app: App): SetupHealthDto['apps'][number] {
  const failure = stores.credentials.get(app.id);
  const report = stores.refusedReports.get(app.id);
  const refused = stores.refusedAnswers.get(app.id);
  return {
    id: app.id,
    name: app.name,
    type: app.type,
    ...notificationState(stores.addresses.get(app.id) ?? null, stores.notifications.get(app.id)),
    credentials_configured: credentialsConfigured(app),
    credentials_error: failure ? { since: failure.sinceMs, message: failure.message } : null,
    refused_external_report: report ? { at: report.createdAt.getTime(), message: report.message } : null,
    refused_refund_answer: refused ? { at: refused.at.getTime(), message: refused.message } : null,
    external_report_hints: reportHints(
      app,
      stores.waitingReports.filter(({ appId }) => appId === app.id),
    ),
    refund_hints: refundHints(app),
    notifications_hint: notificationsHint(app),
    receipts_hint: receiptsHint(app),
  };
}

function presentWebhooks(health: DeliveryHealth): SetupHealthDto['webhooks'] {
  const { total, attempted, delivered, failed, pending, failing } = health;
  return {
    total,
    attempted_24h: attempted,
    delivered_24h: delivered,
    failed_24h: failed,
    pending,
    // One decimal. Rounds down, so that 100 means that all arrived.
    delivered_percent_24h: attempted === 0 ? null : Math.floor((delivered * 1000) / attempted) / 10,
    failing: failing.map((integration) => ({
      id: integration.id,
      name: integration.name,
      url: integration.url,
      last_status: integration.lastStatus,
      last_error: integration.lastError,
      last_attempt_at: integration.lastAttemptAt?.getTime() ?? null,
      delivery_status: integration.deliveryStatus,
    })),
  };
}

function presentWarning({
  currency,
  transactions,
  lastAt,
}: UnconvertedMoney): SetupHealthDto['warnings'][number] {
  return {
    type: 'unknown_currency',
    message: `There is no exchange rate for ${currency}: such amounts count as zero in USD.`,
    currency,
    transactions,
    last_transaction_at: lastAt.getTime(),
  };
}

function unknownValuesWarning([latest, ...others]: UnknownValueRow[]): SetupHealthDto['warnings'] {
  if (!latest) return [];
  const values = others.length + 1;
  const what = values === 1 ? 'a value' : `${values} values`;
  return [
    {
      type: 'unknown_store_value',
      message: `Stores sent ${what} that this server does not know, kept without any effect: see unknown_store_values.`,
      values,
      last_seen_at: latest.lastSeenAt.getTime(),
    },
  ];
}

function unreachableWarning(address: string | null): SetupHealthDto['warnings'] {
  if (address === null) return [];
  const message = `Phones cannot load paywalls and images from ${address}. Set SERVICE_PUBLIC_URL.`;
  return [{ type: 'unreachable_address', message, address }];
}

/** @param unreachable the public address of this server, if phones need it and cannot reach it */
export function presentSetupHealth(health: SetupHealth, unreachable: string | null): SetupHealthDto {
  const names = new Map(health.apps.map(({ id, name }) => [id, name]));
  return {
    object: 'setup_health',
    project_id: health.projectId,
    checked_at: health.checkedAtMs,
    apps: health.apps.map((app) => presentApp(health, app)),
    webhooks: presentWebhooks(health.webhooks),
    sdk_versions: health.sdkVersions.map(({ platform, flavor, version, customers, lastSeenAt }) => ({
      platform,
      flavor: flavor ?? UNWRAPPED,
      version,
      customers,
      last_seen_at: lastSeenAt.getTime(),
    })),
    warnings: [
      ...health.unconverted.map(presentWarning),
      ...unknownValuesWarning(health.unknownValues),
      ...unreachableWarning(unreachable),
    ],
    unknown_products: health.unknownProducts.map((product) => ({
      app_id: product.appId,
      app_name: product.appName,
      store_identifier: product.storeIdentifier,
      transactions: product.transactions,
      since: product.sinceMs,
    })),
    rentals_without_duration: health.endlessRentals.map((product) => ({
      app_id: product.appId,
      app_name: product.appName,
      store_identifier: product.storeProductId,
      purchases: product.purchases,
    })),
    unknown_store_values: health.unknownValues.map((one) => ({
      app_id: one.appId,
      app_name: names.get(one.appId) ?? one.appId,
      field: one.field,
      value: one.value,
      count: one.count,
      first_seen_at: one.firstSeenAt.getTime(),
      last_seen_at: one.lastSeenAt.getTime(),
    })),
  };
}
