import { baseProperties } from '../base-properties.js';
import type { Definition, Delivery } from '../definition.js';
import { platformOf } from '../platform.js';
import { choice, secret, settings } from '../settings/settings-schema.js';
import { limited, objectOf, refused, rejected } from '../verdicts.js';
import {
  analyticsDefaults,
  environmentsOf,
  isSandbox,
  jsonCall,
  noSandboxKey,
  testDelivery,
} from './requests.js';

type AmplitudeSettings = { api_key: string; sandbox_api_key?: string; region: string };

const HOSTS: Record<string, string> = { us: 'api2.amplitude.com', eu: 'api.eu.amplitude.com' };
const KEY = '^[0-9a-f]{32}$';

function identityOf({ customer: { attributes }, event }: Delivery) {
  const { $amplitudeUserId: user_id, $amplitudeDeviceId: device_id } = attributes;
  return device_id === undefined ? { user_id: user_id ?? event.app_user_id } : { user_id, device_id };
}

function callOf(delivery: Delivery, apiKey: string, region: string, hasProfile = true) {
  const { event, customer, name, at, revenue } = delivery;
  const status = {
    rc_subscription_status: customer.status ?? undefined,
    rc_active_entitlements: customer.entitlements,
  };
  const sent = {
    event_type: name,
    ...identityOf(delivery),
    time: at,
    insert_id: event.id,
    platform: platformOf(event),
    revenue: revenue ?? undefined,
    productId: event.product_id ?? undefined,
    event_properties: baseProperties(delivery),
    user_properties: hasProfile ? { $set: status } : undefined,
  };
  // Without this option ids shorter than 5 characters are refused.
  const body = { api_key: apiKey, events: [sent], options: { min_id_length: 1 } };
  return jsonCall(`https://${HOSTS[region]}/2/httpapi`, body);
}

/** Such as `events_with_invalid_fields: { time: [0] }`. */
const fieldsOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

export const amplitude: Definition<AmplitudeSettings> = {
  ...analyticsDefaults,
  id: 'amplitude',
  name: 'Amplitude',
  category: 'analytics',
  description: 'Sends events with revenue, and the status of the subscription as a user property.',
  settings: settings(
    {
      region: choice('Region', ['us', 'eu']),
      api_key: secret('API key', KEY),
      sandbox_api_key: secret('API key for sandbox events', KEY),
    },
    ['api_key'],
  ),
  addresses: ['region'],
  reads: ['$amplitudeUserId', '$amplitudeDeviceId'],
  environments: ({ sandbox_api_key }) => environmentsOf(sandbox_api_key),
  plan(delivery, { api_key, sandbox_api_key, region }) {
    const key = isSandbox(delivery) ? sandbox_api_key : api_key;
    return key === undefined ? noSandboxKey : { send: [callOf(delivery, key, region)] };
  },
  verdict(response) {
    if (response.status === 429) return limited();
    if (response.status !== 400) return null;
    if (response.body.toLowerCase().includes('invalid api key')) return refused('Invalid API key');
    const { error, events_with_invalid_fields, events_with_missing_fields } = objectOf(response);
    const fields = [...fieldsOf(events_with_invalid_fields), ...fieldsOf(events_with_missing_fields)];
    const named = fields.length > 0 ? ` (${fields.join(', ')})` : '';
    return rejected(typeof error === 'string' ? `${error}${named}` : undefined);
  },
  test: (context, { api_key, sandbox_api_key, region }) =>
    callOf(testDelivery(context), sandbox_api_key ?? api_key, region, false),
};
