import { isJsonObject } from '../../kernel/index.js';
import type { Definition, Delivery, Verdict } from '../definition.js';
import type { Kind } from '../event.js';
import { emailHash, phoneHash, sha256, trackableId } from '../texts/identifiers.js';
import { type MobilePlatform, mobilePlatform } from '../platform.js';
import { secret, settings, text, toggle } from '../settings/settings-schema.js';
import { limited, objectOf, refused, rejected } from '../verdicts.js';
import { environmentsOf, isSandbox, jsonCall, noSandboxKey, testDelivery } from './requests.js';

type MetaSettings = {
  dataset_id: string;
  access_token: string;
  sandbox_dataset_id?: string;
  sandbox_access_token?: string;
  test_event_code?: string;
  send_without_consent: boolean;
  ios_bundle_id?: string;
  android_package?: string;
};

const HOST = 'https://graph.facebook.com/v24.0';
const HOUR_MS = 3_600_000;
const DATASET_ID = '^[0-9]{5,20}$';
const EXTINFO_LENGTH = 16;
const LIMIT_WAIT_MS = 5 * 60_000;

const names: Partial<Record<Kind, string>> = {
  initial_purchase: 'Subscribe',
  trial_started: 'StartTrial',
  trial_converted: 'Subscribe',
  renewal: 'Subscribe',
  non_subscription_purchase: 'Purchase',
};

const EVENT_NAMES = [
  'StartTrial',
  'Subscribe',
  'Purchase',
  'AddPaymentInfo',
  'CompleteRegistration',
  'Lead',
  'ViewContent',
];

const hasConsent = ({ customer }: Delivery) => customer.attributes.$attConsentStatus === 'authorized';

const madidOf = ({ customer: { attributes } }: Delivery, platform: MobilePlatform) =>
  trackableId(platform === 'ios' ? attributes.$idfa : attributes.$gpsAdId);

function userDataOf(delivery: Delivery, platform: MobilePlatform) {
  const { $fbAnonId, $email, $phoneNumber, $ip } = delivery.customer.attributes;
  const mayTrack = platform === 'android' || hasConsent(delivery);
  return {
    external_id: [sha256(delivery.event.app_user_id ?? '')],
    anon_id: trackableId($fbAnonId),
    madid: mayTrack ? madidOf(delivery, platform) : undefined,
    em: $email === undefined ? undefined : [emailHash($email)],
    ph: $phoneNumber === undefined ? undefined : [phoneHash($phoneNumber)],
    client_ip_address: $ip,
  };
}

/** Sixteen texts by position: 0 platform, 1 app, 3 version of the app, 4 version of the system. */
function extinfoOf({ customer }: Delivery, platform: MobilePlatform, own: MetaSettings): string[] {
  const extinfo = Array.from({ length: EXTINFO_LENGTH }, () => '');
  extinfo[0] = platform === 'ios' ? 'i2' : 'a2';
  extinfo[1] = (platform === 'ios' ? own.ios_bundle_id : own.android_package) ?? '';
  extinfo[3] = customer.appVersion ?? '';
  extinfo[4] = customer.osVersion ?? '0';
  return extinfo;
}

function callOf(delivery: Delivery, own: MetaSettings, platform: MobilePlatform, isTest: boolean) {
  const { event, name, at, revenue } = delivery;
  const [datasetId, token] = isTest
    ? [own.sandbox_dataset_id ?? own.dataset_id, own.sandbox_access_token ?? own.access_token]
    : [own.dataset_id, own.access_token];
  const mayTrack = platform === 'android' || hasConsent(delivery);
  const sent = {
    event_name: name,
    event_time: Math.floor(at / 1000),
    event_id: event.id,
    action_source: 'app',
    user_data: userDataOf(delivery, platform),
    custom_data: {
      value: revenue ?? 0,
      currency: 'USD',
      content_ids: event.product_id ? [event.product_id] : undefined,
      content_type: 'product',
      order_id: event.transaction_id ?? undefined,
    },
    app_data: {
      advertiser_tracking_enabled: mayTrack ? 1 : 0,
      application_tracking_enabled: 1,
      extinfo: extinfoOf(delivery, platform, own),
    },
  };
  return jsonCall(`${HOST}/${datasetId}/events`, {
    access_token: token,
    test_event_code: own.test_event_code,
    data: [sent],
  });
}

function verdictOfError(error: Record<string, unknown>): Verdict {
  const code = Number(error.code);
  const isBetween = (first: number, last: number) => code >= first && code <= last;
  if (code === 190 || code === 10 || isBetween(200, 299)) return refused(error.message);
  if ([4, 17, 32, 613].includes(code) || isBetween(80_000, 80_014)) return limited(LIMIT_WAIT_MS);
  if (error.is_transient === true || code === 1 || code === 2) return { class: 'retry' };
  return rejected(error.error_user_msg ?? error.message);
}

export const meta: Definition<MetaSettings> = {
  id: 'meta',
  name: 'Meta',
  category: 'attribution',
  description: 'Sends conversions, for customers whose advertising id or anonymous id is known.',
  settings: settings(
    {
      dataset_id: text('Dataset ID', { pattern: DATASET_ID }),
      access_token: secret('Access token'),
      sandbox_dataset_id: text('Dataset ID for sandbox events', { pattern: DATASET_ID }),
      sandbox_access_token: secret('Access token for sandbox events'),
      test_event_code: text('Test event code', { pattern: '^[A-Za-z0-9]{1,50}$' }),
      send_without_consent: toggle(
        'Send events of customers on Apple devices who have not allowed tracking',
        false,
      ),
      ios_bundle_id: text('Bundle ID (iOS)', { pattern: '^[A-Za-z0-9.-]{1,200}$' }),
      android_package: text('Package name (Android)', { pattern: '^[A-Za-z0-9_.]{1,200}$' }),
    },
    ['dataset_id', 'access_token'],
  ),
  addresses: ['dataset_id', 'sandbox_dataset_id'],
  names,
  reads: ['$fbAnonId', '$idfa', '$gpsAdId', '$attConsentStatus', '$email', '$phoneNumber', '$ip'],
  requires: ['$fbAnonId', '$idfa', '$gpsAdId', '$attConsentStatus'],
  sendsFreeAccess: false,
  capabilities: { negative_revenue: false, sandbox: true, profile: false, transfer: false },
  deduplicates: true,
  maxAgeMs: 167 * HOUR_MS,
  paceMs: null,
  maxBodyBytes: 512_000,
  environments: ({ sandbox_dataset_id }) => environmentsOf(sandbox_dataset_id),
  isName: (name) => EVENT_NAMES.includes(name),
  checkSettings({ sandbox_dataset_id, sandbox_access_token }) {
    if ((sandbox_dataset_id === undefined) === (sandbox_access_token === undefined)) return null;
    const missing = sandbox_dataset_id === undefined ? 'sandbox_dataset_id' : 'sandbox_access_token';
    return {
      param: `settings.${missing}`,
      message: 'Enter both the dataset ID and the access token for sandbox events.',
    };
  },
  plan(delivery, own) {
    const { event, customer, revenue } = delivery;
    if (isSandbox(delivery) && own.sandbox_access_token === undefined) return noSandboxKey;
    const isNamed = { ios: own.ios_bundle_id !== undefined, android: own.android_package !== undefined };
    // The store names the platform; only purchases outside the two stores need the names.
    const platform =
      mobilePlatform(event, customer, { ios: true, android: true }) ??
      mobilePlatform(event, customer, isNamed);
    if (platform === null) return { skip: 'no_stream', detail: event.store ?? undefined };
    if (revenue !== null && revenue < 0) return { skip: 'no_money_back' };
    if (trackableId(customer.attributes.$fbAnonId) === undefined && madidOf(delivery, platform) === undefined)
      return { wait: ['$fbAnonId', platform === 'ios' ? '$idfa' : '$gpsAdId'], reason: 'missing_attribute' };
    if (platform === 'ios' && !hasConsent(delivery) && !own.send_without_consent)
      return { wait: ['$attConsentStatus'], reason: 'no_consent' };
    return { send: [callOf(delivery, own, platform, isSandbox(delivery))] };
  },
  verdict(response) {
    const { error } = objectOf(response);
    return isJsonObject(error) ? verdictOfError(error) : null;
  },
  test(context, own) {
    if (own.test_event_code === undefined && own.sandbox_dataset_id === undefined)
      return {
        param: 'settings.test_event_code',
        message: 'A test needs a test event code or a dataset for sandbox events.',
      };
    return callOf({ ...testDelivery(context), name: 'Purchase' }, own, 'android', true);
  },
};
