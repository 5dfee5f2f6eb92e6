import type { Schema } from '../../api/types.js';
import type { Source } from '../customers.queries.js';

type Cause = Schema<'AccessCauseDto'>;

export interface Explained {
  cause: Cause;
  active: boolean;
  /** Expiration of active access; null if unknown. */
  until: number | null;
  /** Details for the sentence: the product's name, and why a subscription ended. */
  product: string;
  expirationReason: string | null;
}

/** Formats a time with the person's preferences. */
type When = (ms: number) => string;

const endReasons: Record<string, string> = {
  UNSUBSCRIBE: 'The customer had turned off renewal.',
  BILLING_ERROR: 'The store could not charge the customer.',
  DEVELOPER_INITIATED: 'The developer had cancelled it.',
  PRICE_INCREASE: 'The customer did not agree to a higher price.',
  CUSTOMER_SUPPORT: 'It was refunded.',
  SUBSCRIPTION_PAUSED: 'The customer had paused it.',
};

const sentences: Record<Cause['type'], (explained: Explained, day: string, when: When) => string> = {
  purchase: ({ product }, day) => `Bought ${product} on ${day}.`,
  renewal: ({ product }, day) => `${product} renewed on ${day}.`,
  product_change: ({ active, product }, day) =>
    active
      ? `Changed to ${product} on ${day}.`
      : `The customer changed on ${day} to a product that does not unlock it.`,
  grace_period: ({ until }, day, when) =>
    `The store could not charge the customer on ${day}.` +
    (until === null ? ' Access continues for now.' : ` The grace period lasts until ${when(until)}.`),
  grant: ({ until }, day, when) =>
    `Granted on ${day}${until === null ? '' : `, until ${when(until)}`}. Free of charge.`,
  refund_reversal: ({ product }, day) => `The store reversed the refund of ${product} on ${day}.`,
  transfer: ({ product }, day) => `${product} came from another customer on ${day}.`,
  pending_payment: ({ product }, day) =>
    `The payment for ${product} has been pending since ${day}. Access starts when the store reports it paid.`,
  expiry: ({ product, expirationReason }, day) =>
    [`${product} expired on ${day}.`, endReasons[expirationReason ?? '']].filter(Boolean).join(' '),
  billing_issue: ({ product }, day) =>
    `The store could not charge the customer for ${product}, so access ended on ${day}. The store keeps trying.`,
  pause: ({ product }, day) => `The customer paused ${product}, so access ended on ${day}.`,
  refund: ({ product }, day) => `${product} was refunded on ${day}, which ended access at once.`,
  family_sharing_end: ({ product }, day) => `${product} came through Family Sharing, which ended on ${day}.`,
  replacement: ({ product }, day) => `Another subscription replaced ${product} on ${day}.`,
  grant_end: (_, day) => `The grant ended on ${day}.`,
  grant_revocation: (_, day) => `The grant was revoked on ${day}.`,
  transfer_away: ({ product }, day) => `${product} moved to another customer on ${day}.`,
  block: (_, day) =>
    `The customer has been blocked since ${day}. Purchases are kept, but give no access while the block lasts.`,
};

/**
 * Sentence about values that only an import reported, with a note if the purchase token is missing; otherwise empty.
 */
export function importSentence(
  {
    imported_at: at,
    imported_as_of: asOf,
    needs_token_refresh: needsToken,
  }: Pick<Source, 'imported_at' | 'imported_as_of' | 'needs_token_refresh'>,
  when: When,
): string {
  const isOlder = at !== null && asOf !== null && when(asOf) !== when(at);
  return [
    at !== null && `Known from the import of ${when(at)}${isOlder ? ` (state of ${when(asOf)})` : ''}.`,
    needsToken && 'Waiting for the purchase token, which arrives when the app next starts.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Explains in a sentence why a customer has or lacks an entitlement. */
export function causeSentence(explained: Explained, when: When): string {
  const { type, occurred_at: at } = explained.cause;
  const sentence = sentences[type] as (typeof sentences)[Cause['type']] | undefined;
  // A newer server may have other causes.
  return sentence ? sentence(explained, when(at), when) : `${String(type)} on ${when(at)}.`;
}
