import { isIPv4 } from 'node:net';
import type { Call, Definition, Delivery } from '../definition.js';
import type { Kind } from '../event.js';
import { trackableId } from '../texts/identifiers.js';
import { type MobilePlatform, mobilePlatform } from '../platform.js';
import { type MapSchema, secret, settings, text, toggle } from '../settings/settings-schema.js';
import { refused, rejected } from '../verdicts.js';
import { environmentsOf, isSandbox, noSandboxKey, rcNames, testDelivery } from './requests.js';

type Tokens = Partial<Record<Kind, string>>;

type AdjustSettings = {
  ios_app_token?: string;
  android_app_token?: string;
  ios_event_tokens?: Tokens;
  android_event_tokens?: Tokens;
  ios_oauth_token?: string;
  android_oauth_token?: string;
  oauth_token?: string;
  send_sandbox: boolean;
};

const URL = 'https://s2s.adjust.com/event';
const TOKEN = '^[a-z0-9]{4,12}$';
const SMALLEST_REVENUE = 0.001;

const kinds = Object.keys(rcNames) as Kind[];

const eventTokens = (title: string): MapSchema => ({
  type: 'object',
  title,
  properties: Object.fromEntries(kinds.map((kind) => [kind, text(kind, { pattern: TOKEN })])),
  additionalProperties: false,
});

function setUpOf(own: AdjustSettings, platform: MobilePlatform) {
  const isIos = platform === 'ios';
  return {
    appToken: isIos ? own.ios_app_token : own.android_app_token,
    tokens: (isIos ? own.ios_event_tokens : own.android_event_tokens) ?? {},
    oauthToken: (isIos ? own.ios_oauth_token : own.android_oauth_token) ?? own.oauth_token,
  };
}

function formCall(fields: Record<string, string | undefined>, oauthToken: string | undefined): Call {
  const form = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return {
    method: 'POST',
    url: URL,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(oauthToken !== undefined && { authorization: `Bearer ${oauthToken}` }),
    },
    body: new URLSearchParams(form).toString(),
  };
}

function fieldsOf(delivery: Delivery) {
  const { customer, at, revenue } = delivery;
  const { $adjustId, $idfa, $idfv, $gpsAdId, $ip } = customer.attributes;
  const isCharged = revenue !== null && revenue >= SMALLEST_REVENUE;
  return {
    adid: $adjustId,
    created_at_unix: String(Math.floor(at / 1000)),
    environment: isSandbox(delivery) ? 'sandbox' : 'production',
    idfa: trackableId($idfa),
    idfv: trackableId($idfv),
    gps_adid: trackableId($gpsAdId),
    ip_address: $ip !== undefined && isIPv4($ip) ? $ip : undefined,
    ...(isCharged && { revenue: String(revenue), currency: 'USD' }),
  };
}

export const adjust: Definition<AdjustSettings> = {
  id: 'adjust',
  name: 'Adjust',
  category: 'attribution',
  description: 'Sends events with revenue, for customers whose Adjust id is known.',
  settings: settings({
    ios_app_token: text('App token (iOS)', { pattern: TOKEN }),
    android_app_token: text('App token (Android)', { pattern: TOKEN }),
    ios_event_tokens: eventTokens('Event tokens (iOS)'),
    android_event_tokens: eventTokens('Event tokens (Android)'),
    ios_oauth_token: secret('S2S security token (iOS)'),
    android_oauth_token: secret('S2S security token (Android)'),
    oauth_token: secret('S2S security token'),
    send_sandbox: toggle('Send sandbox events', true),
  }),
  addresses: [],
  names: Object.fromEntries(kinds.map((kind) => [kind, null])),
  reads: ['$adjustId', '$idfa', '$idfv', '$gpsAdId', '$ip'],
  requires: ['$adjustId'],
  sendsFreeAccess: false,
  capabilities: { negative_revenue: false, sandbox: true, profile: false, transfer: false },
  deduplicates: false,
  maxAgeMs: null,
  paceMs: null,
  maxBodyBytes: 512_000,
  environments: ({ send_sandbox }) => environmentsOf(send_sandbox),
  kinds: ({ ios_app_token, ios_event_tokens, android_app_token, android_event_tokens }) =>
    kinds.filter(
      (kind) =>
        (ios_app_token !== undefined && ios_event_tokens?.[kind] !== undefined) ||
        (android_app_token !== undefined && android_event_tokens?.[kind] !== undefined),
    ),
  checkSettings: ({ ios_app_token, android_app_token }) =>
    ios_app_token === undefined && android_app_token === undefined
      ? { param: 'settings.ios_app_token', message: 'Enter the app token of at least one platform.' }
      : null,
  plan(delivery, own) {
    const { event, customer, kind } = delivery;
    if (isSandbox(delivery) && !own.send_sandbox) return noSandboxKey;
    const isSetUp = { ios: own.ios_app_token !== undefined, android: own.android_app_token !== undefined };
    const platform = mobilePlatform(event, customer, isSetUp);
    if (platform === null) return { skip: 'no_stream', detail: event.store ?? undefined };
    const { appToken, tokens, oauthToken } = setUpOf(own, platform);
    const event_token = kind === null ? undefined : tokens[kind];
    if (event_token === undefined) return { skip: 'event_off' };
    if (trackableId(customer.attributes.$adjustId) === undefined)
      return { wait: ['$adjustId'], reason: 'missing_attribute' };
    return {
      send: [formCall({ s2s: '1', app_token: appToken, event_token, ...fieldsOf(delivery) }, oauthToken)],
    };
  },
  verdict({ status, body }) {
    const text = body.toLowerCase();
    if (status === 400 && text.includes('earlier unique event tracked')) return { class: 'duplicate' };
    if (status === 404 && text.includes('device not found')) return rejected('Device not found');
    if (status === 404 && text.includes('app token not found')) return refused('App token not found');
    return status === 451 ? { class: 'opted_out' } : null;
  },
  test(context, own) {
    const { appToken, tokens, oauthToken } = setUpOf(
      own,
      own.ios_app_token === undefined ? 'android' : 'ios',
    );
    const fields = { ...fieldsOf(testDelivery(context)), idfa: '00000000-0000-0000-0000-000000000000' };
    const event_token = Object.values(tokens)[0];
    return formCall({ s2s: '1', app_token: appToken, event_token, ...fields }, oauthToken);
  },
  testVerdict: ({ status, body }) =>
    status === 404 && body.toLowerCase().includes('device not found')
      ? { class: 'delivered', detail: 'Adjust accepts the tokens. A test event has no device.' }
      : null,
};
