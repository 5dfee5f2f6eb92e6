import type { Call, Definition, Delivery } from '../definition.js';
import { trackableId } from '../texts/identifiers.js';
import { type MobilePlatform, mobilePlatform } from '../platform.js';
import { secret, settings, text, toggle } from '../settings/settings-schema.js';
import { refused } from '../verdicts.js';
import { environmentsOf, isSandbox, jsonCall, noSandboxKey, rcNames, testDelivery } from './requests.js';

type AppsFlyerSettings = {
  ios_app_id?: string;
  android_app_id?: string;
  dev_key: string;
  ios_dev_key?: string;
  android_dev_key?: string;
  sandbox_dev_key?: string;
  s2s_token: boolean;
};

const MAX_BYTES = 1024;

/** Left out in this order from a body that is too large. */
const OPTIONAL_FIELDS = ['bundleIdentifier', 'idfv', 'customer_user_id'] as const;

/** The word `all`, a JSON array, or names separated by commas. */
function sharingFilter(value: string | undefined): unknown {
  if (value === undefined || value === 'all') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Names separated by commas.
  }
  return value.split(',').map((name) => name.trim());
}

function bodyOf(delivery: Delivery, own: AppsFlyerSettings, platform: MobilePlatform) {
  const { event, customer, name, at, revenue } = delivery;
  const { attributes } = customer;
  const value = {
    af_revenue: revenue || undefined,
    af_currency: 'USD',
    af_content_id: event.product_id ?? undefined,
  };
  return {
    appsflyer_id: attributes.$appsflyerId ?? '',
    customer_user_id: event.app_user_id ?? undefined,
    eventName: name,
    eventValue: JSON.stringify(value),
    eventTime: new Date(at).toISOString().replace('T', ' ').replace('Z', ''),
    eventCurrency: 'USD',
    idfa: platform === 'ios' ? trackableId(attributes.$idfa) : undefined,
    idfv: platform === 'ios' ? trackableId(attributes.$idfv) : undefined,
    advertising_id: platform === 'android' ? trackableId(attributes.$gpsAdId) : undefined,
    ip: attributes.$ip,
    bundleIdentifier: platform === 'android' ? own.android_app_id : undefined,
    os: customer.osVersion ?? undefined,
    sharing_filter: sharingFilter(attributes.$appsflyerSharingFilter),
  };
}

function callOf(
  delivery: Delivery,
  own: AppsFlyerSettings,
  platform: MobilePlatform,
  key: string,
): Call | null {
  const appId = platform === 'ios' ? own.ios_app_id : own.android_app_id;
  const url = `https://${own.s2s_token ? 'api3' : 'api2'}.appsflyer.com/inappevent/${appId}`;
  const body: Record<string, unknown> = bodyOf(delivery, own, platform);
  for (const field of [...OPTIONAL_FIELDS, null]) {
    const call = jsonCall(url, body, { authentication: key });
    if (Buffer.byteLength(call.body) <= MAX_BYTES) return call;
    if (field !== null) delete body[field];
  }
  return null;
}

function keyOf(own: AppsFlyerSettings, platform: MobilePlatform, sandbox: boolean): string | undefined {
  if (sandbox) return own.sandbox_dev_key;
  return (platform === 'ios' ? own.ios_dev_key : own.android_dev_key) ?? own.dev_key;
}

export const appsflyer: Definition<AppsFlyerSettings> = {
  id: 'appsflyer',
  name: 'AppsFlyer',
  category: 'attribution',
  description: 'Sends in-app events with revenue, for customers whose AppsFlyer id is known.',
  settings: settings(
    {
      ios_app_id: text('App ID (iOS)', {
        pattern: '^(id)?[0-9]{5,15}$',
        description: 'Such as id123456789.',
      }),
      android_app_id: text('App ID (Android)', { pattern: '^[A-Za-z][A-Za-z0-9_.-]{1,200}$' }),
      dev_key: secret('Dev key'),
      ios_dev_key: secret('Dev key (iOS)'),
      android_dev_key: secret('Dev key (Android)'),
      sandbox_dev_key: secret('Dev key for sandbox events'),
      s2s_token: toggle('The keys are server-to-server tokens', false),
    },
    ['dev_key'],
  ),
  addresses: [],
  names: rcNames,
  reads: ['$appsflyerId', '$idfa', '$idfv', '$gpsAdId', '$ip', '$appsflyerSharingFilter'],
  requires: ['$appsflyerId'],
  sendsFreeAccess: false,
  capabilities: { negative_revenue: true, sandbox: true, profile: false, transfer: false },
  deduplicates: false,
  maxAgeMs: null,
  paceMs: null,
  maxBodyBytes: MAX_BYTES,
  environments: ({ sandbox_dev_key }) => environmentsOf(sandbox_dev_key),
  checkSettings: ({ ios_app_id, android_app_id }) =>
    ios_app_id === undefined && android_app_id === undefined
      ? { param: 'settings.ios_app_id', message: 'Enter the app ID of at least one platform.' }
      : null,
  // AppsFlyer accepts a number without the prefix, and records nothing.
  normalizeSettings: (own) =>
    own.ios_app_id === undefined ? own : { ...own, ios_app_id: own.ios_app_id.replace(/^(?=\d)/, 'id') },
  plan(delivery, own) {
    const { event, customer } = delivery;
    if (isSandbox(delivery) && own.sandbox_dev_key === undefined) return noSandboxKey;
    const isSetUp = { ios: own.ios_app_id !== undefined, android: own.android_app_id !== undefined };
    const platform = mobilePlatform(event, customer, isSetUp);
    if (platform === null) return { skip: 'no_stream', detail: event.store ?? undefined };
    if (trackableId(customer.attributes.$appsflyerId) === undefined)
      return { wait: ['$appsflyerId'], reason: 'missing_attribute' };
    const call = callOf(delivery, own, platform, keyOf(own, platform, isSandbox(delivery)) ?? own.dev_key);
    return call === null ? { skip: 'too_large' } : { send: [call] };
  },
  verdict: ({ status }) => (status === 404 ? refused('There is no such app') : null),
  // Nothing can be sent without a device: a good key gets 400 for the empty id.
  test(context, own) {
    const platform = own.ios_app_id === undefined ? 'android' : 'ios';
    const key = own.sandbox_dev_key ?? keyOf(own, platform, false) ?? own.dev_key;
    const problem = { param: 'settings.ios_app_id', message: 'The app ID is too long.' };
    return callOf(testDelivery(context), own, platform, key) ?? problem;
  },
  testVerdict: ({ status }) =>
    status === 400
      ? { class: 'delivered', detail: 'AppsFlyer accepts the key. A test event cannot be sent.' }
      : null,
};
