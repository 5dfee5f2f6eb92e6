import type { DestinationEvent, DigestMessage, Kind } from './event.js';
import type { Reason } from './reasons.js';
import type { SettingsSchema } from './settings/settings-schema.js';

/** Settings of a destination with its secrets, checked against the schema and with defaults filled in. */
export type Settings = Record<string, unknown>;

export type DestinationType =
  | 'segment'
  | 'amplitude'
  | 'mixpanel'
  | 'posthog'
  | 'customerio'
  | 'braze'
  | 'firebase'
  | 'appsflyer'
  | 'adjust'
  | 'meta'
  | 'slack'
  | 'discord'
  | 'http';

export type Category = 'analytics' | 'attribution' | 'messaging' | 'chat' | 'http';

/** State of the subscription of an event, in the words that tools receive. */
export type CustomerStatus =
  | 'active'
  | 'intro'
  | 'cancelled'
  | 'grace_period'
  | 'trial'
  | 'cancelled_trial'
  | 'grace_period_trial'
  | 'expired'
  | 'promotional'
  | 'expired_promotional'
  | 'paused';

/** The customer as read at the first attempt; every later attempt of the delivery uses it. Stored as JSON. */
export interface FrozenCustomer {
  /** Values of the attributes that the definition reads; those without a value are absent. */
  attributes: Record<string, string>;
  /** The same of the previous owner; only for a transfer, whose customer is the new owner. */
  previousOwner?: Record<string, string>;
  /** Of the subscription of the event; null for other events. */
  status: CustomerStatus | null;
  /** Lookup keys of active entitlements, sorted. */
  entitlements: string[];
  appVersion: string | null;
  osVersion: string | null;
  /** As last seen: `iOS`, `android`, ... */
  platform: string | null;
}

/** Everything that a request is built from, besides the settings. */
export interface Delivery {
  event: DestinationEvent;
  customer: FrozenCustomer;
  /** Null for the types without a kind, which only `http` receives. */
  kind: Kind | null;
  /** The tool's name of the event. */
  name: string;
  /** USD, with up to six decimals; null if the price is unknown. */
  revenue: number | null;
  /** The same in the currency of the purchase. */
  purchasedRevenue: number | null;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** The customer's page in the dashboard. */
  customerUrl: string | null;
  destinationName: string;
}

/** One request. The same delivery and settings produce the same bytes. */
export interface Call {
  method: 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body: string;
}

export type Plan =
  | { send: Call[] }
  /** Attributes, any of which lets the event be sent. */
  | { wait: string[]; reason: 'missing_attribute' | 'no_consent' }
  /** `detail` completes the text of the reason: the attribute, or the store. */
  | { skip: Reason; detail?: string };

/** The answer to a call. */
export interface CallResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first 24 kB. */
  body: string;
}

export interface Verdict {
  class:
    | 'delivered'
    /** The tool had received the event before. */
    | 'duplicate'
    | 'retry'
    /** Asked to slow down; the attempt does not count. */
    | 'limited'
    /** The key or the address is wrong, for every event. */
    | 'refused'
    /** The event is wrong; another attempt would not help. */
    | 'rejected'
    /** The endpoint asks for no more events. */
    | 'gone'
    /** The device opted out: the delivery is skipped. */
    | 'opted_out';
  /** The tool's explanation, or a note about the acceptance; it may contain secrets until masked. */
  detail?: string;
  /** How long to wait if `limited`, or after the `retry` that the response asks for. */
  waitMs?: number;
}

/** Input of a test event. */
export interface TestContext {
  projectName: string;
  /** An event id in the upper-case form. */
  eventId: string;
  nowMs: number;
  /** The `TEST` event of webhooks, which `http` sends. */
  webhookEvent: DestinationEvent;
}

export interface SettingsProblem {
  /** `settings.api_key` */
  param: string;
  message: string;
}

export interface Definition<S extends Settings = Settings> {
  id: DestinationType;
  name: string;
  category: Category;
  description: string;
  settings: SettingsSchema;
  /** Settings that say where secrets are sent; changing one needs every secret again. */
  addresses: readonly string[];
  /** The offered kinds with their default names; null if the tool has no names of events. */
  names: Partial<Record<Kind, string | null>>;
  /** Attributes that the plan needs, as read at the first attempt. */
  reads: readonly string[];
  /** Those without which a delivery may wait. */
  requires: readonly string[];
  /** False if granted and shared access would count as a sale. */
  sendsFreeAccess: boolean;
  capabilities: { negative_revenue: boolean; sandbox: boolean; profile: boolean; transfer: boolean };
  /** Whether the tool recognizes a repeated event. */
  deduplicates: boolean;
  maxAgeMs: number | null;
  /** The least time between two events. */
  paceMs: number | null;
  maxBodyBytes: number;
  environments(settings: S): 'production' | 'both';
  /** The kinds that the settings switch on, for tools without names of events. */
  kinds?(settings: S): Kind[];
  /** Whether the tool takes this name of an event; by default 1 to 255 characters. */
  isName?(name: string): boolean;
  /** Rules that the schema cannot express. Runs after the schema's check. */
  checkSettings?(settings: S): SettingsProblem | null;
  /** The settings as stored, such as with a prefix that was left out. */
  normalizeSettings?(settings: S): S;
  plan(delivery: Delivery, settings: S): Plan;
  /** The request of a digest, for chat tools. */
  digest?(message: DigestMessage, atMs: number, settings: S): Call;
  /** Null for the default. `step`: index of the call in the plan. */
  verdict?(response: CallResponse, step: number, nowMs: number): Verdict | null;
  /** The request of a test; a problem if the settings allow none. */
  test(context: TestContext, settings: S): Call | SettingsProblem;
  /** Null for `verdict`. */
  testVerdict?(response: CallResponse): Verdict | null;
}
