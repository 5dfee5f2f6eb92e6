import { isJsonObject, parseJson } from '../../../../libs/kernel/index.js';
import { type ClientMetadata, clientMetadataOf } from './client-metadata.policy.js';

/** Client ID Metadata Documents: the client's id is the URL of its metadata. */

const MAX_ID = 500;
const MIN_CACHE_S = 5 * 60;
const MAX_CACHE_S = 24 * 60 * 60;

export const looksLikeDocument = (clientId: string): boolean => /^https?:/i.test(clientId);

/** Requires the normalized spelling, so that no two ids name one document. @param allowHttp for tests */
export function isDocumentId(clientId: string, allowHttp: boolean): boolean {
  if (clientId.length > MAX_ID || clientId.includes('#') || !URL.canParse(clientId)) return false;
  const { href, protocol, pathname, username, password } = new URL(clientId);
  const isWeb = protocol === 'https:' || (allowHttp && protocol === 'http:');
  // Parsing resolves dot segments, so `href` would differ.
  return isWeb && href === clientId && pathname !== '/' && username === '' && password === '';
}

/** Reports why a document cannot be used. */
export class DocumentProblem extends Error {}

/** @throws DocumentProblem, ApiError 400 */
export function clientOfDocument(clientId: string, text: string): ClientMetadata {
  const document = parsed(text);
  if (document.client_id !== clientId) throw new DocumentProblem('its client_id is another address');
  if (typeof document.client_name !== 'string' || document.client_name.trim() === '') {
    throw new DocumentProblem('it has no client_name');
  }
  if ('client_secret' in document || 'client_secret_expires_at' in document) {
    throw new DocumentProblem('it holds a secret');
  }
  const method = document.token_endpoint_auth_method ?? 'none';
  if (typeof method !== 'string' || method.startsWith('client_secret_')) {
    throw new DocumentProblem('its token_endpoint_auth_method needs a secret');
  }
  // The document may list unsupported types. A client with keys is treated as a public one, which PKCE protects.
  return clientMetadataOf({ ...document, grant_types: undefined, response_types: undefined });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new DocumentProblem('it is not a JSON object');
}

/** Returns how long (ms) a document is fresh, by its `Cache-Control`. */
export function documentLifetimeMs(cacheControl: string | string[] | undefined): number {
  const directives = [cacheControl ?? ''].flat().join(',').toLowerCase();
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/.exec(directives) ?? [];
  const isStored = !/no-store|no-cache/.test(directives);
  const asked = isStored && seconds !== undefined ? Number(seconds) : MIN_CACHE_S;
  return Math.min(Math.max(asked, MIN_CACHE_S), MAX_CACHE_S) * 1000;
}
