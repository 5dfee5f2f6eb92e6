import type { Call, DestinationType, FrozenCustomer, Plan, Settings } from '../definition.js';
import { definitionOf } from '../destinations.js';
import type { DestinationEvent, Kind } from '../event.js';
import { type Destination, type Occurrence, planDelivery } from '../plan-delivery.js';
import { SAMPLE_AT_MS, sampleEvent } from '../sample-event.js';
import { normalizedSettings } from '../settings/settings-check.js';

const HEX_KEY = '0123456789abcdef0123456789abcdef';

/** Settings that a person would enter, with every production secret. */
export const enteredSettings: Record<DestinationType, Settings> = {
  segment: { write_key: 'segmentWriteKey0123456789' },
  amplitude: { api_key: HEX_KEY },
  mixpanel: { project_token: HEX_KEY },
  posthog: { api_key: 'phc_0123456789abcdefghij', host: 'https://us.i.posthog.com' },
  customerio: { site_id: '0123456789abcdef0123', api_key: 'abcdef0123456789abcd' },
  braze: { instance: 'iad-01', api_key: '01234567-89ab-cdef-0123-456789abcdef' },
  firebase: {
    ios_firebase_app_id: '1:1234567890:ios:0a1b2c3d4e5f',
    ios_api_secret: 'iosApiSecret_0123456789',
    android_firebase_app_id: '1:1234567890:android:0a1b2c3d4e5f',
    android_api_secret: 'androidApiSecret_0123456',
  },
  appsflyer: {
    ios_app_id: '123456789',
    android_app_id: 'com.example.app',
    dev_key: 'AppsFlyerDevKey012345',
    sandbox_dev_key: 'AppsFlyerSandboxKey01',
  },
  adjust: {
    ios_app_token: 'abcdefghijkl',
    android_app_token: 'mnopqrstuvwx',
    ios_event_tokens: { renewal: 'abc123', initial_purchase: 'abc124', cancellation: 'abc125' },
    android_event_tokens: { renewal: 'def456' },
    oauth_token: 'adjustOauthToken0123456789',
  },
  meta: { dataset_id: '1234567890123456', access_token: 'EAAmetaAccessToken0123456789' },
  slack: { url: 'https://hooks.slack.com/services/T01234567/B01234567/abcdefghijklmnopqrstuvwx' },
  discord: { url: 'https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz_-0123' },
  http: { url: 'https://example.com/hook', headers: { authorization: 'Bearer httpSecretToken0123456789' } },
};

export const allTypes = Object.keys(enteredSettings) as DestinationType[];

export const attributes: Record<string, string> = {
  $adjustId: '0123456789abcdef0123456789abcdef',
  $appsflyerId: '1700000000000-1234567',
  $firebaseAppInstanceId: 'fedcba9876543210fedcba9876543210',
  $fbAnonId: 'XZ0123456789',
  $attConsentStatus: 'authorized',
};

export function frozenCustomer(change: Partial<FrozenCustomer> = {}): FrozenCustomer {
  return {
    attributes,
    status: 'active',
    entitlements: ['pro'],
    appVersion: '1.2.3',
    osVersion: '17.5',
    platform: 'iOS',
    ...change,
  };
}

export function destinationOf(
  type: DestinationType,
  { settings, ...change }: Partial<Destination> = {},
): Destination {
  return {
    type,
    name: 'My tool',
    settings: normalizedSettings(definitionOf(type), { ...enteredSettings[type], ...settings }),
    eventNames: {},
    revenue: 'gross',
    attributes: 'all',
    sendFromMs: 0,
    ...change,
  };
}

export function occurrenceOf(
  event: Kind | DestinationEvent = 'renewal',
  change: Partial<Occurrence> = {},
): Occurrence {
  return {
    event: typeof event === 'string' ? sampleEvent(event) : event,
    occurredAtMs: SAMPLE_AT_MS,
    recordedAtMs: SAMPLE_AT_MS,
    customer: frozenCustomer(),
    isOnTestClock: false,
    isReplay: false,
    customerUrl: 'https://tenure.example.com/projects/p1/customers/ada',
    nowMs: SAMPLE_AT_MS + 1000,
    ...change,
  };
}

/** The renewal of the samples with other fields. */
export const renewalWith = (change: Partial<DestinationEvent>): DestinationEvent => ({
  ...sampleEvent('renewal'),
  ...change,
});

export function planOf(
  type: DestinationType,
  destination: Partial<Destination> = {},
  event: Kind | DestinationEvent = 'renewal',
  occurrence: Partial<Occurrence> = {},
): Plan {
  return planDelivery(destinationOf(type, destination), occurrenceOf(event, occurrence));
}

/** The requests; throws if the event would not be sent. */
export function callsOf(...args: Parameters<typeof planOf>): Call[] {
  const plan = planOf(...args);
  if ('send' in plan) return plan.send;
  throw new Error(`not sent: ${JSON.stringify(plan)}`);
}

/** The body of the first request, parsed. */
export function bodyOf(...args: Parameters<typeof planOf>): Record<string, unknown> {
  return JSON.parse(callsOf(...args)[0]?.body ?? '') as Record<string, unknown>;
}
