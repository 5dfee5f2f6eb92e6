import { isJsonObject } from '../../../libs/kernel/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import { MAX_VALUE_LENGTH, valueProblem } from './attribute-values.js';

const MAX_TOKEN_LENGTH = 10_000;

/** Fields with the same meaning for every network. */
const deviceFields = [
  ['rc_idfa', '$idfa'],
  ['rc_idfv', '$idfv'],
  ['rc_gps_adid', '$gpsAdId'],
] as const;

/** The attribute for the customer's id at a network, by the network's number in the API. */
const idAttributes: Record<number, string> = {
  1: '$adjustId',
  2: '$appsflyerId',
  3: '$branchId',
  4: '$tenjinId',
  5: '$fbAnonId',
  6: '$mparticleId',
};

/** The networks' names for campaign fields, most likely first. */
const campaignFields: [string, string[]][] = [
  ['$mediaSource', ['media_source', 'network', '~channel', 'channel', 'ad_network']],
  ['$campaign', ['campaign', '~campaign', 'campaign_name', 'iad-campaign-name']],
  ['$adGroup', ['adgroup', 'adset', '~ad_set_name', 'iad-adgroup-name']],
  ['$ad', ['af_ad', 'adgroup_name', '~ad_name']],
  ['$keyword', ['af_keywords', 'keyword', '~keyword', 'iad-keyword']],
  ['$creative', ['creative', 'af_creative', '~creative_name', 'iad-creativeset-name']],
];

function text(data: Record<string, unknown>, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_VALUE_LENGTH) : null;
}

/** Apple wraps its answer in an object named after a version. */
function unwrapped(data: Record<string, unknown>): Record<string, unknown> {
  const inner = Object.entries(data).find(([key, value]) => key.startsWith('Version') && isJsonObject(value));
  return inner ? { ...data, ...(inner[1] as Record<string, unknown>) } : data;
}

/** Drops fields without an attribute. @throws ApiError 400 if `network` is not a number or `data` not an object */
export function readAttribution(body: unknown): AttributeInput[] {
  const { network: rawNetwork, data: rawData } = isJsonObject(body) ? body : {};
  const network = typeof rawNetwork === 'string' ? Number.parseInt(rawNetwork, 10) : rawNetwork;
  if (typeof network !== 'number' || !Number.isInteger(network)) {
    throw ApiError.parameter('network', 'network must be a whole number.');
  }
  if (!isJsonObject(rawData)) throw ApiError.parameter('data', 'data must be an object.');
  const data = unwrapped(rawData);
  const idAttribute = idAttributes[network];
  const found: [string, string | null][] = [
    ...deviceFields.map(([field, name]): [string, string | null] => [name, text(data, field)]),
    ...campaignFields.map(([name, fields]): [string, string | null] => [
      name,
      fields.map((field) => text(data, field)).find((value) => value !== null) ?? null,
    ]),
  ];
  if (idAttribute !== undefined) found.push([idAttribute, text(data, 'rc_attribution_network_id')]);
  return found.flatMap(([name, value]) =>
    value === null || valueProblem(name, value) !== null ? [] : [{ name, value, updatedAtMs: null }],
  );
}

/** Apple's attribution token in a request body; null if there is none that can be stored. */
export function adServicesTokenOf(body: unknown): string | null {
  const token = isJsonObject(body) ? body.aad_attribution_token : undefined;
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_LENGTH) return null;
  return token.includes('\0') || !token.isWellFormed() ? null : token;
}
