import { isJsonObject } from '../../kernel/index.js';
import { attributeValues, baseProperties } from '../base-properties.js';
import type { Definition, Delivery } from '../definition.js';
import { ulidOf } from '../texts/identifiers.js';
import { platformOf } from '../platform.js';
import { choice, secret, settings, text } from '../settings/settings-schema.js';
import { firstOf, objectOf, refused, rejected } from '../verdicts.js';
import {
  analyticsDefaults,
  basicAuth,
  environmentsOf,
  isSandbox,
  jsonCall,
  noSandboxKey,
  testDelivery,
} from './requests.js';

type CustomerIoSettings = {
  site_id: string;
  api_key: string;
  sandbox_site_id?: string;
  sandbox_api_key?: string;
  region: string;
};

const HOSTS: Record<string, string> = { us: 'track.customer.io', eu: 'track-eu.customer.io' };
const KEY = '^[A-Za-z0-9]{16,}$';
const LONGEST_ID_BYTES = 150;

const idOf = ({ customer, event }: Delivery) => customer.attributes.$customerioId ?? event.app_user_id ?? '';

function callOf(
  delivery: Delivery,
  [siteId, apiKey]: readonly [string, string],
  region: string,
  hasProfile = true,
) {
  const { event, customer, name, at } = delivery;
  const shared = { type: 'person', identifiers: { id: idOf(delivery) } };
  const attributes = {
    aliases: event.aliases,
    app_id: event.app_id,
    app_user_id: event.app_user_id,
    original_app_user_id: event.original_app_user_id,
    platform: platformOf(event),
    rc_subscription_status: customer.status ?? undefined,
    subscriber_attributes: attributeValues(event),
    entitlement_ids: event.entitlement_ids ?? undefined,
  };
  const sent = {
    ...shared,
    action: 'event',
    name,
    // Only a ULID makes a repeated event known.
    id: ulidOf(event.id),
    timestamp: Math.floor(at / 1000),
    attributes: baseProperties(delivery),
  };
  const batch = hasProfile ? [{ ...shared, action: 'identify', attributes }, sent] : [sent];
  return jsonCall(`https://${HOSTS[region]}/api/v2/batch`, { batch }, basicAuth(siteId, apiKey));
}

const sandboxKeys = ({
  sandbox_site_id,
  sandbox_api_key,
}: CustomerIoSettings): readonly [string, string] | null =>
  sandbox_site_id === undefined || sandbox_api_key === undefined ? null : [sandbox_site_id, sandbox_api_key];

export const customerio: Definition<CustomerIoSettings> = {
  ...analyticsDefaults,
  id: 'customerio',
  name: 'Customer.io',
  category: 'messaging',
  description: 'Sends events, and the attributes and the status of the subscription to the person.',
  settings: settings(
    {
      region: choice('Region', ['us', 'eu']),
      site_id: text('Site ID', { pattern: KEY }),
      api_key: secret('API key', KEY, 'The Tracking API key that belongs to the site ID.'),
      sandbox_site_id: text('Site ID for sandbox events', { pattern: KEY }),
      sandbox_api_key: secret('API key for sandbox events', KEY),
    },
    ['site_id', 'api_key'],
  ),
  addresses: ['region'],
  reads: ['$customerioId'],
  maxBodyBytes: 32_000,
  environments: (own) => environmentsOf(own.sandbox_site_id),
  checkSettings({ sandbox_site_id, sandbox_api_key }) {
    if ((sandbox_site_id === undefined) === (sandbox_api_key === undefined)) return null;
    const missing = sandbox_site_id === undefined ? 'sandbox_site_id' : 'sandbox_api_key';
    return {
      param: `settings.${missing}`,
      message: 'Enter both the site ID and the API key for sandbox events.',
    };
  },
  plan(delivery, own) {
    const keys = isSandbox(delivery) ? sandboxKeys(own) : ([own.site_id, own.api_key] as const);
    if (keys === null) return noSandboxKey;
    if (Buffer.byteLength(idOf(delivery)) > LONGEST_ID_BYTES)
      return { skip: 'bad_attribute', detail: `Customer.io takes ids of at most ${LONGEST_ID_BYTES} bytes.` };
    return { send: [callOf(delivery, keys, own.region)] };
  },
  verdict(response) {
    const { errors } = response.status === 207 ? objectOf(response) : {};
    const first = firstOf(errors);
    if (first !== undefined) return rejected(isJsonObject(first) ? first.reason : undefined);
    const isRedirect = response.status >= 300 && response.status < 400;
    return isRedirect ? refused('Choose the region of your account') : null;
  },
  test: (context, own) =>
    callOf(testDelivery(context), sandboxKeys(own) ?? [own.site_id, own.api_key], own.region, false),
};
