import type { Call, Delivery, Plan, TestContext } from '../definition.js';
import type { Kind } from '../event.js';
import { chatNames } from '../texts/chat-text.js';

export function jsonCall(url: string, body: unknown, headers: Record<string, string> = {}): Call {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

export function basicAuth(user: string, password = ''): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export const isSandbox = ({ event }: Pick<Delivery, 'event'>): boolean => event.environment === 'SANDBOX';

export const noSandboxKey: Plan = { skip: 'no_sandbox_key' };

/** The environments that a destination with a second key for sandbox events receives. */
export const environmentsOf = (sandbox: unknown): 'production' | 'both' =>
  sandbox === undefined || sandbox === false ? 'production' : 'both';

export const TEST_EVENT_NAME = 'rc_test_event';
export const TEST_USER_ID = 'tenure-test';

/** An event without money or attributes, by a user who does not exist. */
export function testDelivery({ eventId, nowMs }: TestContext): Delivery {
  const ids = { app_user_id: TEST_USER_ID, original_app_user_id: TEST_USER_ID, aliases: [TEST_USER_ID] };
  return {
    event: { id: eventId, type: 'TEST', environment: 'SANDBOX', store: 'TEST_STORE', ...ids },
    customer: {
      attributes: {},
      status: null,
      entitlements: [],
      appVersion: null,
      osVersion: null,
      platform: null,
    },
    kind: null,
    name: TEST_EVENT_NAME,
    revenue: 0,
    purchasedRevenue: 0,
    at: nowMs,
    customerUrl: null,
    destinationName: '',
  };
}

/** The vendor's default names, which most tools have in common. */
export const rcNames: Partial<Record<Kind, string>> = {
  initial_purchase: 'rc_initial_purchase_event',
  trial_started: 'rc_trial_started_event',
  trial_converted: 'rc_trial_converted_event',
  renewal: 'rc_renewal_event',
  trial_cancelled: 'rc_trial_cancelled_event',
  cancellation: 'rc_cancellation_event',
  uncancellation: 'rc_uncancellation_event',
  non_subscription_purchase: 'rc_non_subscription_purchase_event',
  subscription_paused: 'rc_subscription_paused_event',
  expiration: 'rc_expiration_event',
  billing_issue: 'rc_billing_issue_event',
  product_change: 'rc_product_change_event',
  refund_reversed: 'rc_refund_reversed_event',
};

/** Limits and abilities that most analytics tools have in common. */
export const analyticsDefaults = {
  names: rcNames,
  requires: [],
  sendsFreeAccess: true,
  capabilities: { negative_revenue: true, sandbox: true, profile: true, transfer: false },
  deduplicates: true,
  maxAgeMs: null,
  paceMs: null,
  maxBodyBytes: 512_000,
} as const;

/** Limits and abilities that chat tools have in common. */
export const chatDefaults = {
  category: 'chat',
  addresses: [],
  names: chatNames,
  reads: [],
  requires: [],
  sendsFreeAccess: true,
  capabilities: { negative_revenue: false, sandbox: true, profile: false, transfer: false },
  deduplicates: false,
  maxAgeMs: null,
  environments: ({ send_sandbox }: { send_sandbox: boolean }) => environmentsOf(send_sandbox),
} as const;
