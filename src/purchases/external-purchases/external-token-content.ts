import { randomUUID } from 'node:crypto';
import { MAX_EXTERNAL_TOKEN, readExternalPurchaseToken } from '../../../libs/stores/index.js';
import type { StoreSettings } from '../../catalog/apps/store-fields.js';
import type { ExternalPurchaseTokenEntity, ExternalTokenKind } from './external-purchase-token.entity.js';

/** Data in a token. */
export type TokenContent = Pick<
  ExternalPurchaseTokenEntity,
  'kind' | 'environment' | 'externalPurchaseId' | 'tokenCreatedAt' | 'tokenExpiresAt' | 'state'
>;

/** The longest prefix within the limit that ends with a complete character. */
export function firstBytes(text: string): string {
  return Buffer.from(text)
    .subarray(0, MAX_EXTERNAL_TOKEN)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

/** Content of a token that cannot be read, or that does not exist. */
export function opaqueContent(
  kind: ExternalTokenKind | null,
  state: 'open' | 'unreadable' = 'open',
): TokenContent {
  return {
    kind,
    environment: 'production',
    externalPurchaseId: null,
    tokenCreatedAt: null,
    tokenExpiresAt: null,
    state,
  };
}

/** Reads Apple's token. A type in the token takes precedence over `kind`. */
export function appleTokenContent(
  text: string,
  kind: ExternalTokenKind | null,
  { bundle_id: bundleId, app_apple_id: appAppleId }: StoreSettings,
): TokenContent {
  const read = readExternalPurchaseToken(text);
  if (read === null) return opaqueContent(kind, 'unreadable');
  const isOwn =
    read.bundleId === bundleId && (appAppleId === undefined || read.appAppleId === Number(appAppleId));
  return {
    kind: read.type ?? kind,
    environment: read.environment,
    // Another app's token must not occupy the id of this app's token.
    externalPurchaseId: isOwn ? read.externalPurchaseId : null,
    tokenCreatedAt: read.createdAtMs === null ? null : new Date(read.createdAtMs),
    tokenExpiresAt: read.expiresAtMs === null ? null : new Date(read.expiresAtMs),
    state: isOwn ? 'open' : 'foreign',
  };
}

export function newTokenId(): string {
  return `ept${randomUUID().replaceAll('-', '')}`;
}
