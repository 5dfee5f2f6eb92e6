import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/index.js';
import { PAYWALL_ICONS_PATH } from '../icons/icons.js';
import type { PaywallDocument } from '../model.js';

/** Paths of this server that documents may name. */
const ownPaths = ['/v1/blobs/', PAYWALL_ICONS_PATH];

/** Places of addresses of this server in a stored document, so that a change of its public address changes no document. */
const SELF = 'self:';

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, change)]));
}

/** Removes keys whose value is null, at any depth: Android refuses null where a field has a default. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part)]));
}

/** The form in which a document is stored: addresses of this server have no host, and no value is null. */
export function toStored(document: JsonObject, publicUrl: string): JsonObject {
  const own = ownPaths.map((path) => publicUrl + path);
  const change = (text: string): string =>
    own.some((address) => text.startsWith(address)) ? SELF + text.slice(publicUrl.length) : text;
  return mapTexts(withoutNulls(document), change) as JsonObject;
}

export interface DocumentIdentity {
  paywallId: string;
  projectId: string;
  revision: number;
  publicUrl: string;
}

/** Address of the blobs of a project, without the ref. */
export function blobsUrl(publicUrl: string, projectId: string): string {
  return `${publicUrl}/v1/blobs/${projectId}`;
}

/** Puts the address of this server back into a stored document. */
export function withServerAddress(stored: JsonObject, publicUrl: string): JsonObject {
  const change = (text: string): string =>
    ownPaths.some((path) => text.startsWith(SELF + path)) ? publicUrl + text.slice(SELF.length) : text;
  return mapTexts(stored, change) as JsonObject;
}

/** The form in which a document leaves the server. */
export function toOutput(
  stored: JsonObject,
  { paywallId, projectId, revision, publicUrl }: DocumentIdentity,
): PaywallDocument {
  return {
    ...(withServerAddress(stored, publicUrl) as PaywallDocument),
    id: paywallId,
    template_name: 'components',
    asset_base_url: blobsUrl(publicUrl, projectId),
    revision,
  };
}

/** Refs of the images of a project that a stored document shows. */
export function blobRefsIn(stored: JsonObject, projectId: string): string[] {
  const start = `${SELF}/v1/blobs/${projectId}/`;
  const refs = new Set<string>();
  mapTexts(stored, (text) => {
    if (text.startsWith(start)) refs.add(text.slice(start.length));
    return text;
  });
  return [...refs];
}
