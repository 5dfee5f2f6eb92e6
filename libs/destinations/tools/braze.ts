import { isJsonObject, isoSeconds } from '../../kernel/index.js';
import { attributeValues } from '../base-properties.js';
import type { Definition, Delivery } from '../definition.js';
import { secret, settings, text, toggle } from '../settings/settings-schema.js';
import { firstOf, limited, objectOf, refused, rejected } from '../verdicts.js';
import {
  analyticsDefaults,
  environmentsOf,
  isSandbox,
  jsonCall,
  noSandboxKey,
  testDelivery,
} from './requests.js';

type BrazeSettings = { instance: string; api_key: string; sandbox_api_key?: string; purchases: boolean };

const US_INSTANCES = ['01', '02', '03', '04', '05', '06', '07', '08'].map((number) => `iad-${number}`);
const EU_INSTANCES = ['fra-01', 'fra-02'];
const OTHER_INSTANCES = ['us-09', 'us-10', 'au-01', 'id-01', 'jp-01'];
const KEY = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const LONGEST_ALIAS_BYTES = 236;

const time = (ms: number | null | undefined) => (typeof ms === 'number' ? isoSeconds(ms) : undefined);

function identityOf({ customer, event }: Delivery) {
  const { $brazeAliasName: alias_name, $brazeAliasLabel: alias_label } = customer.attributes;
  if (alias_name === undefined || alias_label === undefined) return { external_id: event.app_user_id };
  return { user_alias: { alias_name, alias_label } };
}

function attributesOf({ event, customer }: Delivery) {
  const own = Object.entries(attributeValues(event)).filter(
    ([name]) => name !== '$brazeAliasName' && name !== '$brazeAliasLabel',
  );
  return {
    rc_subscription_status: customer.status ?? undefined,
    rc_active_entitlement_ids: customer.entitlements,
    ...Object.fromEntries(own.map(([name, value]) => [`rc_customer_attribute_${name}`, value])),
  };
}

/** None of them has a name that Braze reserves for purchases. */
const detailsOf = ({ event }: Delivery) => ({
  store: event.store ?? undefined,
  app_id: event.app_id ?? undefined,
  cancel_reason: event.cancel_reason ?? undefined,
  expiration_reason: event.expiration_reason ?? undefined,
  grace_period_expiration_at: time(event.grace_period_expiration_at_ms),
  auto_resume_at: time(event.auto_resume_at_ms),
  new_product_id: event.new_product_id ?? undefined,
});

function callOf(delivery: Delivery, key: string, { instance, purchases }: BrazeSettings, hasProfile = true) {
  const { event, name, revenue } = delivery;
  const identity = identityOf(delivery);
  const at = new Date(delivery.at).toISOString();
  const details = detailsOf(delivery);
  const product_id = event.product_id ?? undefined;
  const charged = { ...identity, product_id, currency: 'USD', price: revenue, quantity: 1, time: at };
  const sent =
    purchases && revenue && product_id !== undefined
      ? { purchases: [{ ...charged, properties: { rc_event_name: name, ...details } }] }
      : {
          events: [
            {
              ...identity,
              name,
              time: at,
              properties: { product_id, revenue: revenue ?? undefined, ...details },
            },
          ],
        };
  const attributes = hasProfile ? [{ ...identity, ...attributesOf(delivery) }] : undefined;
  const host = EU_INSTANCES.includes(instance) ? 'braze.eu' : 'braze.com';
  const authorization = `Bearer ${key}`;
  return jsonCall(`https://rest.${instance}.${host}/users/track`, { attributes, ...sent }, { authorization });
}

export const braze: Definition<BrazeSettings> = {
  ...analyticsDefaults,
  id: 'braze',
  name: 'Braze',
  category: 'messaging',
  description:
    'Sends purchases and events, and the attributes and the status of the subscription to the profile.',
  settings: settings(
    {
      instance: text('Instance', { enum: [...US_INSTANCES, ...OTHER_INSTANCES, ...EU_INSTANCES] }),
      api_key: secret('REST API key', KEY, 'The key needs the permission users.track.'),
      sandbox_api_key: secret('REST API key for sandbox events', KEY),
      purchases: toggle('Send charges as purchases', true),
    },
    ['instance', 'api_key'],
  ),
  addresses: ['instance'],
  reads: ['$brazeAliasName', '$brazeAliasLabel'],
  deduplicates: false,
  environments: ({ sandbox_api_key }) => environmentsOf(sandbox_api_key),
  plan(delivery, own) {
    const key = isSandbox(delivery) ? own.sandbox_api_key : own.api_key;
    if (key === undefined) return noSandboxKey;
    const { user_alias } = identityOf(delivery);
    if (user_alias && Object.values(user_alias).some((text) => Buffer.byteLength(text) > LONGEST_ALIAS_BYTES))
      return {
        skip: 'bad_attribute',
        detail: `Braze takes aliases of at most ${LONGEST_ALIAS_BYTES} bytes.`,
      };
    return { send: [callOf(delivery, key, own)] };
  },
  verdict(response, _, nowMs) {
    const { status, headers } = response;
    if (status === 404) return refused('Choose the instance of your account');
    if (status === 429) return limited(Number(headers['x-ratelimit-reset']) * 1000 - nowMs);
    const { errors } = status === 201 ? objectOf(response) : {};
    const first = firstOf(errors);
    return first === undefined ? null : rejected(isJsonObject(first) ? first.type : first);
  },
  test: (context, own) => callOf(testDelivery(context), own.sandbox_api_key ?? own.api_key, own, false),
};
