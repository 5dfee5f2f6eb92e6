import { currentPeriod } from './derive-state.js';
import type { SeatsFact, SubscriptionFacts } from './facts.model.js';
import type { SubscriptionState } from './model.js';
import { type SeatsInPeriod, seatsInPeriod } from './seats.js';
import { viewSubscription } from './subscription-view.js';

export interface SubscriptionSeats extends SeatsInPeriod, Pick<SeatsFact, 'invitations'> {
  /** Seats of the next period. */
  nextQuantity: number;
}

/** The seats of the current period; null for a subscription without seats. */
export function seatsOf(
  facts: SubscriptionFacts,
  { periodStartedAtMs }: Pick<SubscriptionState, 'periodStartedAtMs'>,
): SubscriptionSeats | null {
  // Nearly every subscription has none.
  if (!Object.values(facts.periods).some(({ value }) => value.seats)) return null;
  const view = viewSubscription(facts);
  const period = currentPeriod(view, periodStartedAtMs);
  const seats = seatsInPeriod(view, period);
  if (!seats || !period.seats) return null;
  const nextQuantity = view.renewal.nextSeats?.quantity ?? seats.quantity;
  return { ...seats, invitations: period.seats.invitations, nextQuantity };
}
