import { isJsonObject } from '../../kernel/index.js';
import { baseProperties } from '../base-properties.js';
import type { Call, Definition, Delivery } from '../definition.js';
import { choice, secret, settings, toggle } from '../settings/settings-schema.js';
import { firstOf, isSuccess, objectOf, rejected } from '../verdicts.js';
import {
  analyticsDefaults,
  basicAuth,
  environmentsOf,
  isSandbox,
  jsonCall,
  noSandboxKey,
  testDelivery,
} from './requests.js';

type MixpanelSettings = {
  project_token: string;
  sandbox_project_token?: string;
  region: string;
  track_charges: boolean;
};

const HOSTS: Record<string, string> = {
  us: 'api.mixpanel.com',
  eu: 'api-eu.mixpanel.com',
  in: 'api-in.mixpanel.com',
};
const TOKEN = '^[0-9a-f]{32}$';

const distinctIdOf = ({ customer, event }: Delivery) =>
  customer.attributes.$mixpanelDistinctId ?? event.app_user_id;

/** `/import` takes events of any age; `/track` drops those older than five days without an error. */
function importCall(delivery: Delivery, token: string, region: string): Call {
  const { event, name, at } = delivery;
  const properties = {
    token,
    distinct_id: distinctIdOf(delivery),
    time: at,
    $insert_id: event.id,
    ...baseProperties(delivery),
  };
  return jsonCall(
    `https://${HOSTS[region]}/import?strict=1`,
    [{ event: name, properties }],
    basicAuth(token),
  );
}

/** Status and charge of the profile; null if there is neither. */
function engageCall(
  delivery: Delivery,
  token: string,
  { region, track_charges }: MixpanelSettings,
): Call | null {
  const { event, customer, revenue, at } = delivery;
  // Without the zero address, the profile gets the place of this server.
  const profile = { $token: token, $distinct_id: distinctIdOf(delivery), $ip: '0' };
  const charge = {
    $time: new Date(at).toISOString().slice(0, 19),
    $amount: revenue,
    product_id: event.product_id,
    store: event.store,
  };
  const updates = [
    ...(customer.status === null ? [] : [{ ...profile, $set: { rc_subscription_status: customer.status } }]),
    ...(revenue && track_charges ? [{ ...profile, $append: { $transactions: charge } }] : []),
  ];
  return updates.length === 0 ? null : jsonCall(`https://${HOSTS[region]}/engage?verbose=1`, updates);
}

export const mixpanel: Definition<MixpanelSettings> = {
  ...analyticsDefaults,
  id: 'mixpanel',
  name: 'Mixpanel',
  category: 'analytics',
  description: 'Sends events, and the status of the subscription and charges to the profile.',
  settings: settings(
    {
      region: choice('Region', ['us', 'eu', 'in']),
      project_token: secret('Project token', TOKEN),
      sandbox_project_token: secret('Project token for sandbox events', TOKEN),
      track_charges: toggle('Add charges to profiles', true),
    },
    ['project_token'],
  ),
  addresses: ['region'],
  reads: ['$mixpanelDistinctId'],
  environments: ({ sandbox_project_token }) => environmentsOf(sandbox_project_token),
  plan(delivery, own) {
    const token = isSandbox(delivery) ? own.sandbox_project_token : own.project_token;
    if (token === undefined) return noSandboxKey;
    const profile = engageCall(delivery, token, own);
    const event = importCall(delivery, token, own.region);
    return { send: profile === null ? [event] : [event, profile] };
  },
  verdict(response, step) {
    const answer = objectOf(response);
    if (step === 1 && isSuccess(response) && answer.status === 0) return rejected(answer.error);
    if (step !== 0 || response.status !== 400) return null;
    const failed = firstOf(answer.failed_records);
    return rejected(isJsonObject(failed) ? failed.message : answer.error);
  },
  test: (context, { project_token, sandbox_project_token, region }) =>
    importCall(testDelivery(context), sandbox_project_token ?? project_token, region),
};
