import { baseProperties } from '../base-properties.js';
import type { Definition, Delivery } from '../definition.js';
import { secret, settings, text } from '../settings/settings-schema.js';
import { isSuccess, objectOf, rejected } from '../verdicts.js';
import {
  analyticsDefaults,
  environmentsOf,
  isSandbox,
  jsonCall,
  noSandboxKey,
  testDelivery,
} from './requests.js';

type PostHogSettings = { api_key: string; sandbox_api_key?: string; host: string };

const KEY = '^phc_[A-Za-z0-9_-]{8,}$';
const LONGEST_ID = 200;

const distinctIdOf = ({ customer, event }: Delivery) =>
  customer.attributes.$posthogUserId ?? event.app_user_id ?? '';

/** Without `sent_at`, by which PostHog would shift the time. */
function callOf(delivery: Delivery, apiKey: string, host: string, hasProfile = true) {
  const { event, customer, name, at } = delivery;
  const properties = {
    ...baseProperties(delivery),
    insert_id: event.id,
    $set: hasProfile && customer.status !== null ? { rc_subscription_status: customer.status } : undefined,
    // Otherwise every customer lives where this server does.
    $geoip_disable: true,
  };
  const sent = {
    event: name,
    distinct_id: distinctIdOf(delivery),
    // PostHog reads a number as now.
    timestamp: new Date(at).toISOString(),
    uuid: event.id.toLowerCase(),
    properties,
  };
  return jsonCall(`${host}/batch/`, { api_key: apiKey, batch: [sent] });
}

export const posthog: Definition<PostHogSettings> = {
  ...analyticsDefaults,
  id: 'posthog',
  name: 'PostHog',
  category: 'analytics',
  description: 'Sends events, and the status of the subscription as a person property.',
  settings: settings(
    {
      host: text('Host', {
        pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
        description:
          'https://us.i.posthog.com, https://eu.i.posthog.com, or the address of your own PostHog.',
      }),
      api_key: secret('Project API key', KEY),
      sandbox_api_key: secret('Project API key for sandbox events', KEY),
    },
    ['host', 'api_key'],
  ),
  addresses: ['host'],
  reads: ['$posthogUserId'],
  environments: ({ sandbox_api_key }) => environmentsOf(sandbox_api_key),
  plan(delivery, { api_key, sandbox_api_key, host }) {
    const key = isSandbox(delivery) ? sandbox_api_key : api_key;
    if (key === undefined) return noSandboxKey;
    if (distinctIdOf(delivery).length > LONGEST_ID)
      return { skip: 'bad_attribute', detail: `PostHog takes ids of at most ${LONGEST_ID} characters.` };
    return { send: [callOf(delivery, key, host)] };
  },
  verdict(response) {
    const { quota_limited } = isSuccess(response) ? objectOf(response) : {};
    return Array.isArray(quota_limited) && quota_limited.length > 0
      ? rejected("PostHog's quota is used up")
      : null;
  },
  test: (context, { api_key, sandbox_api_key, host }) =>
    callOf(testDelivery(context), sandbox_api_key ?? api_key, host, false),
};
