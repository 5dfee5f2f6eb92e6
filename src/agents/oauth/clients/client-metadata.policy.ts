import { isJsonObject } from '../../../../libs/kernel/index.js';
import { oauthError } from '../oauth-error.js';
import { redirectUriProblem } from './redirect-uri.policy.js';

/** The fields of client metadata that are used. */
export interface ClientMetadata {
  name: string;
  redirectUris: string[];
  clientUri: string | null;
  logoUri: string | null;
  grantTypes: string[];
  applicationType: string | null;
  scope: string | null;
}

export const grantTypes = ['authorization_code', 'refresh_token'];
const DEFAULT_NAME = 'MCP client';
const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 10;
const MAX_TEXT = 2000;

const bad = (message: string): Error => oauthError('invalid_client_metadata', message);

/** Removes control characters and those that change text direction, which could make a name look like another. */
function nameOf(value: unknown): string {
  if (value === undefined || value === null) return DEFAULT_NAME;
  if (typeof value !== 'string' || !value.isWellFormed()) throw bad('client_name must be text.');
  const name = value.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '').trim();
  if ([...name].length > MAX_NAME) throw bad(`client_name must be at most ${MAX_NAME} characters.`);
  return name === '' ? DEFAULT_NAME : name;
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const isText = typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed();
  if (!isText || value.includes('\0')) throw bad(`${name} must be text of at most ${MAX_TEXT} characters.`);
  return value;
}

/** Drops everything but https URLs. */
function webAddressOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_TEXT || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === 'https:' ? url.href : null;
}

function redirectUrisOf(value: unknown): string[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_REDIRECT_URIS) {
    throw oauthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS}.`);
  }
  for (const [index, uri] of value.entries()) {
    const problem = redirectUriProblem(uri);
    if (problem !== null) throw oauthError('invalid_redirect_uri', `redirect_uris[${index}] ${problem}.`);
  }
  return [...new Set(value as string[])];
}

function subsetOf(name: string, value: unknown, known: readonly string[]): string[] {
  if (value === undefined || value === null) return [...known];
  const isSubset =
    Array.isArray(value) && value.length > 0 && value.every((item) => known.includes(item as string));
  if (!isSubset) throw bad(`${name} can hold ${known.join(' and ')}.`);
  return known.filter((item) => (value as string[]).includes(item));
}

/**
 * Ignores unknown fields and the authentication method, because clients authenticate with PKCE.
 * @throws ApiError 400
 */
export function clientMetadataOf(body: unknown): ClientMetadata {
  if (!isJsonObject(body)) throw bad('The body must be a JSON object.');
  const metadata = {
    redirectUris: redirectUrisOf(body.redirect_uris),
    name: nameOf(body.client_name),
    clientUri: webAddressOf(body.client_uri),
    logoUri: webAddressOf(body.logo_uri),
    grantTypes: subsetOf('grant_types', body.grant_types, grantTypes),
    applicationType: textOf('application_type', body.application_type),
    scope: textOf('scope', body.scope),
  };
  subsetOf('response_types', body.response_types, ['code']);
  return metadata;
}
