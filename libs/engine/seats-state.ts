import { currentPeriod } from './derive-state.js';
import type { SeatsFact, SubscriptionFacts } from './facts.model.js';
import type { SubscriptionState } from './model.js';
import type { KeyedPeriod } from './periods.js';
import { type SeatsInPeriod, seatsInPeriod } from './seats.js';
import { viewSubscription } from './subscription-view.js';

export interface SubscriptionSeats extends SeatsInPeriod, Pick<SeatsFact, 'invitations'> {
  /** Seats of the next period. */
  nextQuantity: number;
}

/** The App Store may report a member's seat without those of the group. */
function seatOfMember({ ownership, quantity }: KeyedPeriod): SeatsInPeriod | null {
  return ownership === 'assigned' ? { quantity, revoked: 0, tiers: [] } : null;
}

/** The seats of the current period; null for a subscription that is neither sold in seats nor a seat. */
export function seatsOf(
  facts: SubscriptionFacts,
  { periodStartedAtMs }: Pick<SubscriptionState, 'periodStartedAtMs'>,
): SubscriptionSeats | null {
  // Nearly every subscription has none.
  if (!Object.values(facts.periods).some(({ value }) => value.seats ?? value.ownership === 'assigned'))
    return null;
  const view = viewSubscription(facts);
  const period = currentPeriod(view, periodStartedAtMs);
  const seats = seatsInPeriod(view, period) ?? seatOfMember(period);
  if (!seats) return null;
  const nextQuantity = view.renewal.nextSeats?.quantity ?? seats.quantity;
  return { ...seats, invitations: period.seats?.invitations ?? null, nextQuantity };
}
