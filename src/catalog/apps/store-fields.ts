import { isCurrency } from '../../../libs/money/index.js';
import { paddleKeyEnvironment, type RenewalSettings } from '../../../libs/stores/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type AppType, appTypes } from '../../platform/principal/app-types.js';
import type { ExternalPurchaseReports, ExternalTransactionReports } from './external-purchase-reports.js';
import type { RefundDataConsent, RefundRequestHandling, RefundUsageEvidence } from './refund-settings.js';
import { serviceAccountText } from './store-object.fields.js';

export type StoreObjects = { [Type in AppType]?: object | null };

export interface NewApp extends StoreObjects {
  name: string;
  type: AppType;
}

/** The readable fields of an app's store object, under their API names. */
export interface StoreSettings {
  bundle_id?: string;
  package_name?: string;
  app_store_connect_vendor_number?: string;
  /** Digits only. */
  app_apple_id?: string;
  notification_forward_url?: string;
  track_new_purchases?: boolean;
  allow_unsigned_receipts?: boolean;
  answer_retention_requests?: boolean;
  refund_request_handling?: RefundRequestHandling;
  external_purchase_reports?: ExternalPurchaseReports;
  external_transaction_reports?: ExternalTransactionReports;
  refund_data_consent?: RefundDataConsent;
  sample_content_provided?: boolean;
  refund_usage_evidence?: RefundUsageEvidence;
  refund_attributes_from_sdk?: boolean;
  pubsub_audience?: string;
  pubsub_service_account?: string;
  sns_topic_arn?: string;
  /** Set by the server only: the last confirmation that SNS requested. */
  sns_confirmation_token?: string;
  stripe_account_id?: string;
  require_secret_key_for_receipts?: boolean;
  app_name?: string;
  support_email?: string;
  default_currency?: string;
  roku_channel_id?: string;
  roku_channel_name?: string;
  allow_test_notifications?: boolean;
  paddle_is_sandbox?: boolean;
  app_user_id_source?: AppUserIdSource;
  app_user_id_custom_data_key?: string;
  renewal_mode?: RenewalSettings['renewalMode'];
  max_renewals?: number;
  /** Epoch milliseconds. */
  small_business_since?: number;
  one_time_rate?: number;
  commission_rate?: number;
}

/** Settings whose values are audited. */
export const plainSettings = [
  'bundle_id',
  'package_name',
  'app_store_connect_vendor_number',
  'app_apple_id',
  'notification_forward_url',
  'track_new_purchases',
  'allow_unsigned_receipts',
  'answer_retention_requests',
  'refund_request_handling',
  'external_purchase_reports',
  'external_transaction_reports',
  'refund_data_consent',
  'sample_content_provided',
  'refund_usage_evidence',
  'refund_attributes_from_sdk',
  'pubsub_audience',
  'pubsub_service_account',
  'sns_topic_arn',
  'stripe_account_id',
  'require_secret_key_for_receipts',
  'app_name',
  'support_email',
  'default_currency',
  'roku_channel_id',
  'roku_channel_name',
  'allow_test_notifications',
  'paddle_is_sandbox',
  'app_user_id_source',
  'app_user_id_custom_data_key',
  'renewal_mode',
  'max_renewals',
  'small_business_since',
  'one_time_rate',
  'commission_rate',
] as const satisfies readonly (keyof StoreSettings)[];

const credentialNames = [
  'shared_secret',
  'subscription_private_key',
  'subscription_key_id',
  'subscription_key_issuer',
  'app_store_connect_api_key',
  'app_store_connect_api_key_id',
  'app_store_connect_api_key_issuer',
  'xcode_certificate',
  'play_service_account_credentials_json',
  'stripe_secret_key',
  'stripe_webhook_secret',
  'roku_api_key',
  'paddle_api_key',
  'paddle_webhook_secret',
] as const;

export type CredentialName = (typeof credentialNames)[number];
export type Credentials = Partial<Record<CredentialName, string>>;

/** New values by field; null removes the current value. */
export type Changes<Fields> = { [Name in keyof Fields]?: Fields[Name] | null };

export interface StoreChanges {
  settings: Changes<StoreSettings>;
  credentials: Changes<Credentials>;
}

const requiredOnCreate: ReadonlySet<AppType> = new Set([
  'app_store',
  'mac_app_store',
  'play_store',
  'amazon',
]);

/** Sources of the app user id for a purchase that no app has posted. */
export const appUserIdSources = ['custom_data', 'anonymous'] as const;
export type AppUserIdSource = (typeof appUserIdSources)[number];

function isCredential(name: string): name is CredentialName {
  return (credentialNames as readonly string[]).includes(name);
}

/** @throws ApiError 400 for the object of another store or an unknown currency */
export function ownStoreChanges(type: AppType, objects: StoreObjects): StoreChanges {
  return divided(type, ownStoreObject(type, objects));
}

/** @throws ApiError 400 as for `ownStoreChanges`, also if the type requires its object */
export function newStoreChanges({ type, ...objects }: NewApp): StoreChanges {
  const object = ownStoreObject(type, objects);
  if (object === null && requiredOnCreate.has(type)) {
    throw ApiError.parameter(type, `${type} is required for apps of type ${type}.`);
  }
  return divided(type, object);
}

export function changed<Fields extends object>(present: Fields, changes: Changes<Fields>): Fields {
  const merged = { ...present, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Fields;
}

/** Returns the store object of the app's own type; null if the request has none. */
function ownStoreObject(type: AppType, objects: StoreObjects): object | null {
  for (const other of appTypes) {
    if (other === type || (objects[other] ?? null) === null) continue;
    throw ApiError.parameter(other, `${other} is only for apps of type ${other}; this one is ${type}.`);
  }
  return objects[type] ?? null;
}

function divided(type: AppType, object: object | null): StoreChanges {
  const settings: Record<string, unknown> = {};
  const credentials: Changes<Credentials> = {};
  for (const [name, value] of Object.entries(object ?? {}) as [string, unknown][]) {
    if (value === undefined) continue;
    if (isCredential(name)) credentials[name] = credentialText(name, value);
    else settings[name] = settingValue(type, name, value);
  }
  if (typeof credentials.paddle_api_key === 'string') noteEnvironment(credentials.paddle_api_key, settings);
  return { settings, credentials };
}

/** The prefix of a Paddle key names its environment; old keys have none. @throws ApiError 400 for a contradiction */
function noteEnvironment(apiKey: string, settings: Record<string, unknown>): void {
  const environment = paddleKeyEnvironment(apiKey);
  const isSandbox = environment === null ? null : environment === 'sandbox';
  const given = settings.paddle_is_sandbox ?? null;
  if (isSandbox !== null && given !== null && given !== isSandbox) {
    throw ApiError.parameter(
      'paddle.paddle_is_sandbox',
      'paddle.paddle_is_sandbox contradicts the prefix of paddle_api_key.',
    );
  }
  if (isSandbox !== null) settings.paddle_is_sandbox = isSandbox;
}

function credentialText(name: CredentialName, value: unknown): string | null {
  if (name === 'play_service_account_credentials_json') return serviceAccountText(value);
  return value as string | null;
}

function settingValue(type: AppType, name: string, value: unknown): unknown {
  if (name === 'app_apple_id' && value !== null) return String(Number(value));
  if (name === 'notification_forward_url' && value === '') return null;
  if (name === 'default_currency' && typeof value === 'string' && !isCurrency(value)) {
    throw ApiError.parameter(
      `${type}.default_currency`,
      `${type}.default_currency must be an ISO 4217 code in use.`,
    );
  }
  return value;
}
