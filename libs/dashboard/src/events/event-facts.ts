import type { RecordedEvent } from './events.queries.js';

type Body = RecordedEvent['body'];

/** Identifier of the product that an event is about; null if there is none. */
export const productOf = ({ product_id: id }: Body): string | null => (typeof id === 'string' ? id : null);

/** The amount that the customer paid or got back; null if no money moved. */
export function amountOf({ price_in_purchased_currency: price, currency }: Body): {
  amount: number | null;
  currency: string | null;
} {
  const isPaid = typeof price === 'number' && price !== 0 && typeof currency === 'string';
  return isPaid ? { amount: price, currency } : { amount: null, currency: null };
}
