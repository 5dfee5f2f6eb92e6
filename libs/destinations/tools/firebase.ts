import type { Call, Definition, Delivery } from '../definition.js';
import type { Kind } from '../event.js';
import { cutText } from '../texts/identifiers.js';
import { type MobilePlatform, mobilePlatform } from '../platform.js';
import { secret, settings, text, toggle } from '../settings/settings-schema.js';
import { firstOf, isSuccess, objectOf, rejected } from '../verdicts.js';
import { environmentsOf, isSandbox, jsonCall, noSandboxKey, testDelivery } from './requests.js';

type FirebaseSettings = {
  ios_firebase_app_id?: string;
  ios_api_secret?: string;
  android_firebase_app_id?: string;
  android_api_secret?: string;
  send_sandbox: boolean;
  currency: string;
};

const HOST = 'https://www.google-analytics.com';
const INSTANCE_ID = '$firebaseAppInstanceId';
const HOUR_MS = 3_600_000;
const LONGEST_TEXT = 100;
const LONGEST_USER_ID = 256;

const names: Partial<Record<Kind, string>> = {
  initial_purchase: 'purchase',
  trial_started: 'rc_trial_start',
  trial_converted: 'purchase',
  renewal: 'purchase',
  trial_cancelled: 'rc_cancellation',
  cancellation: 'rc_cancellation',
  uncancellation: 'rc_uncancellation',
  non_subscription_purchase: 'purchase',
  subscription_paused: 'rc_subscription_paused',
  expiration: 'rc_expiration',
  billing_issue: 'rc_billing_issue',
  product_change: 'rc_product_change',
  transfer: 'rc_transfer_event',
  refund_reversed: 'rc_refund_reversed_event',
};

const micros = (ms: number | null | undefined) => (typeof ms === 'number' ? ms * 1000 : undefined);

/** Firebase takes no null, and texts of at most 100 characters. */
function paramsOf(params: Record<string, unknown>): Record<string, unknown> {
  const present = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => [name, typeof value === 'string' ? cutText(value, LONGEST_TEXT) : value]),
  );
}

function saleOf({ event, name, revenue, purchasedRevenue }: Delivery, inPurchased: boolean) {
  const [value, currency] = inPurchased ? [purchasedRevenue, event.currency] : [revenue, 'USD'];
  if (name !== 'purchase' || value === null || value < 0 || !currency) return {};
  return {
    currency,
    value,
    coupon: event.offer_code ?? '',
    is_trial_conversion: event.is_trial_conversion === true,
    is_renewal: event.type === 'RENEWAL',
    items: [paramsOf({ item_id: event.product_id, affiliation: event.store })],
  };
}

const eventParams = (delivery: Delivery, inPurchased: boolean) => ({
  product_id: delivery.event.product_id,
  period_type: delivery.event.period_type,
  purchased_at: micros(delivery.event.purchased_at_ms),
  expiration_at: micros(delivery.event.expiration_at_ms),
  grace_period_expires_at: micros(delivery.event.grace_period_expiration_at_ms),
  auto_resumes_at: micros(delivery.event.auto_resume_at_ms),
  environment: delivery.event.environment,
  presented_offering_id: delivery.event.presented_offering_id ?? '',
  transaction_id: delivery.event.transaction_id,
  affiliation: delivery.event.store,
  original_transaction_id: delivery.event.original_transaction_id,
  original_app_user_id: delivery.event.original_app_user_id,
  app_id: delivery.event.app_id,
  cancel_reason: delivery.event.cancel_reason,
  expiration_reason: delivery.event.expiration_reason,
  ...saleOf(delivery, inPurchased),
});

const transferParams = ({ event }: Delivery) => ({
  transferred_from: event.transferred_from?.[0],
  transferred_to: event.transferred_to?.[0],
  store: event.store,
  environment: event.environment,
});

/** A customer to whom an event is sent: each side of a transfer, or the only one. */
interface Side {
  instanceId: string | undefined;
  userId: string | null | undefined;
}

function sidesOf({ event, customer, kind }: Delivery): Side[] {
  const own = customer.attributes[INSTANCE_ID];
  if (kind !== 'transfer') return [{ instanceId: own, userId: event.app_user_id }];
  return [
    { instanceId: customer.previousOwner?.[INSTANCE_ID], userId: event.transferred_from?.[0] },
    { instanceId: own, userId: event.transferred_to?.[0] },
  ];
}

function credentialsOf(own: FirebaseSettings, platform: MobilePlatform) {
  return platform === 'ios'
    ? { appId: own.ios_firebase_app_id, apiSecret: own.ios_api_secret }
    : { appId: own.android_firebase_app_id, apiSecret: own.android_api_secret };
}

function callOf(delivery: Delivery, side: Side, own: FirebaseSettings, platform: MobilePlatform): Call {
  const { event, name, at, kind } = delivery;
  const { appId = '', apiSecret = '' } = credentialsOf(own, platform);
  const params =
    kind === 'transfer' ? transferParams(delivery) : eventParams(delivery, own.currency === 'purchased');
  const query = `firebase_app_id=${encodeURIComponent(appId)}&api_secret=${encodeURIComponent(apiSecret)}`;
  return jsonCall(`${HOST}/mp/collect?${query}`, {
    app_instance_id: side.instanceId,
    user_id: side.userId && side.userId.length <= LONGEST_USER_ID ? side.userId : undefined,
    timestamp_micros: micros(at),
    events: [{ name, params: paramsOf({ event_id: event.id, ...params }) }],
  });
}

const APP_ID = (platform: string) => `^1:[0-9]+:${platform}:[0-9a-f]+$`;
const RESERVED = ['ga_', 'google_', 'firebase_'];

export const firebase: Definition<FirebaseSettings> = {
  id: 'firebase',
  name: 'Firebase',
  category: 'analytics',
  description: 'Sends events to Google Analytics 4, for customers whose app instance id is known.',
  settings: settings({
    ios_firebase_app_id: text('Firebase app ID (iOS)', { pattern: APP_ID('ios') }),
    ios_api_secret: secret('Measurement Protocol API secret (iOS)'),
    android_firebase_app_id: text('Firebase app ID (Android)', { pattern: APP_ID('android') }),
    android_api_secret: secret('Measurement Protocol API secret (Android)'),
    send_sandbox: toggle('Send sandbox events', true),
    currency: text('Currency of purchases', { enum: ['usd', 'purchased'], default: 'usd' }),
  }),
  addresses: [],
  names,
  reads: [INSTANCE_ID],
  requires: [INSTANCE_ID],
  sendsFreeAccess: false,
  capabilities: { negative_revenue: false, sandbox: true, profile: false, transfer: true },
  deduplicates: false,
  maxAgeMs: 71 * HOUR_MS,
  paceMs: null,
  maxBodyBytes: 130_000,
  environments: ({ send_sandbox }) => environmentsOf(send_sandbox),
  isName: (name) =>
    /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name) && !RESERVED.some((prefix) => name.startsWith(prefix)),
  checkSettings(own) {
    const pairs = [
      ['ios_firebase_app_id', 'ios_api_secret'],
      ['android_firebase_app_id', 'android_api_secret'],
    ] as const;
    for (const [appId, apiSecret] of pairs) {
      if ((own[appId] === undefined) === (own[apiSecret] === undefined)) continue;
      const missing = own[appId] === undefined ? appId : apiSecret;
      return { param: `settings.${missing}`, message: 'Enter both the app ID and the API secret.' };
    }
    if (pairs.some(([appId]) => own[appId] !== undefined)) return null;
    return {
      param: 'settings.ios_firebase_app_id',
      message: 'Enter the app ID and API secret of at least one platform.',
    };
  },
  plan(delivery, own) {
    if (isSandbox(delivery) && !own.send_sandbox) return noSandboxKey;
    const { event, customer, kind } = delivery;
    const isSetUp = { ios: own.ios_api_secret !== undefined, android: own.android_api_secret !== undefined };
    const platform = mobilePlatform(event, customer, isSetUp);
    if (platform === null) return { skip: 'no_stream', detail: event.store ?? undefined };
    const known = sidesOf(delivery).filter(({ instanceId }) => instanceId !== undefined);
    if (known.length === 0)
      return kind === 'transfer'
        ? { skip: 'missing_attribute' }
        : { wait: [INSTANCE_ID], reason: 'missing_attribute' };
    if (!known.every(({ instanceId = '' }) => /^[0-9a-f]{32}$/i.test(instanceId)))
      return { skip: 'bad_attribute', detail: `${INSTANCE_ID} is not an app instance id.` };
    return { send: known.map((side) => callOf(delivery, side, own, platform)) };
  },
  verdict: (response) =>
    isSuccess(response) ? { class: 'delivered', detail: 'Accepted, not checked by Google' } : null,
  test(context, own) {
    const platform = own.ios_api_secret === undefined ? 'android' : 'ios';
    const delivery = testDelivery(context);
    const call = callOf(
      delivery,
      { instanceId: '0'.repeat(32), userId: delivery.event.app_user_id },
      own,
      platform,
    );
    const body = { validation_behavior: 'ENFORCE_RECOMMENDATIONS', ...(JSON.parse(call.body) as object) };
    return { ...call, url: call.url.replace('/mp/collect', '/debug/mp/collect'), body: JSON.stringify(body) };
  },
  testVerdict(response) {
    const { validationMessages } = objectOf(response);
    if (!isSuccess(response)) return null;
    const first = firstOf(validationMessages);
    return first === undefined
      ? {
          class: 'delivered',
          detail: 'Google does not check the keys: look at Realtime after a sandbox purchase.',
        }
      : rejected((first as { description?: unknown }).description);
  },
};
