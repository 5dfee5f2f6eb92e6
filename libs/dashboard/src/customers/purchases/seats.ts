import type { Subscription } from './purchases.queries.js';

/** Label and text for the seats of a subscription; null without seats. */
export function seatsOf({
  seats,
  auto_renewal_status: renewal,
}: Pick<Subscription, 'seats' | 'auto_renewal_status'>): readonly [label: string, text: string] | null {
  if (!seats) return null;
  if (seats.role === 'member') return ['Seat of a group', 'Paid by someone else'];
  const { quantity, next_quantity: next } = seats;
  const isChanging = next !== quantity && renewal !== 'will_not_renew';
  return ['Seats', isChanging ? `${quantity} (${next} at the next renewal)` : `${quantity}`];
}
