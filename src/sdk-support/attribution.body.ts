import { isJsonObject } from '../../libs/kernel/index.js';
import { ApiError } from '../http/api-error.js';

export interface Attribution {
  network: string;
  /** JSON text. */
  data: string;
}

/** Names of the networks, by the number that SDKs send. */
const networks = [
  'apple_search_ads',
  'adjust',
  'appsflyer',
  'branch',
  'tenjin',
  'facebook',
  'mparticle',
  'ad_services',
] as const;

const MAX_DATA_LENGTH = 16_384;
const MAX_TOKEN_LENGTH = 4_096;

/** Reads `{network, data}`. @throws ApiError 400 */
export function readAttribution(body: unknown): Attribution {
  const fields = isJsonObject(body) ? body : {};
  const network = typeof fields.network === 'number' ? networks[fields.network] : undefined;
  if (network === undefined)
    throw ApiError.parameter('network', `network must be a whole number from 0 to ${networks.length - 1}.`);
  if (!isJsonObject(fields.data)) throw ApiError.parameter('data', 'data must be a JSON object.');
  const data = JSON.stringify(fields.data);
  if (data.length > MAX_DATA_LENGTH)
    throw ApiError.parameter('data', `data must be at most ${MAX_DATA_LENGTH} characters of JSON.`);
  return { network, data };
}

/** Reads `{aad_attribution_token}`. @throws ApiError 400 */
export function readAdServicesToken(body: unknown): Attribution {
  const field = 'aad_attribution_token';
  const token = isJsonObject(body) ? body[field] : undefined;
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_LENGTH)
    throw ApiError.parameter(field, `${field} must be a string of 1 to ${MAX_TOKEN_LENGTH} characters.`);
  return { network: 'ad_services', data: JSON.stringify({ token }) };
}
