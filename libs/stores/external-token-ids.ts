import type { VerifiedPurchase } from './contract.js';

/** The field of Stripe's metadata and Paddle's custom data that holds the id of a token for an outside purchase. */
const EXTERNAL_TOKEN_FIELD = 'external_purchase_token_id';

const ID = /^ept[0-9a-f]{32}$/;

/** The ids in the fields that sellers set, in the given order. They prove nothing; other values are ignored. */
export function externalTokenIds(fields: readonly (Record<string, unknown> | null | undefined)[]): string[] {
  const ids = fields.flatMap((field) => {
    const value = field?.[EXTERNAL_TOKEN_FIELD];
    return typeof value === 'string' && ID.test(value) ? value : [];
  });
  return [...new Set(ids)];
}

export function withTokenIds(purchases: VerifiedPurchase[], tokenIds: string[]): VerifiedPurchase[] {
  if (tokenIds.length === 0) return purchases;
  return purchases.map((purchase) => ({ ...purchase, externalTokenIds: tokenIds }));
}
