import {
  type Destination,
  type DestinationEvent,
  type Plan,
  planDelivery,
} from '../../../../libs/destinations/index.js';
import type { ClaimedDelivery } from '../../deliveries/deliveries.repository.js';
import type { StoredCustomer } from './frozen-customer.js';

/** What the plan of a delivery depends on, besides the destination and the customer. */
export type PlannedDelivery = Pick<
  ClaimedDelivery,
  'projectId' | 'event' | 'occurredAt' | 'recordedAt' | 'replay'
>;

/** The page of the customer in the dashboard. */
function customerUrl(
  baseUrl: string,
  projectId: string,
  { app_user_id: id }: DestinationEvent,
): string | null {
  if (typeof id !== 'string') return null;
  return `${baseUrl}/projects/${encodeURIComponent(projectId)}/customers/${encodeURIComponent(id)}`;
}

/** The requests of a delivery. The event, the customer and the destination determine their bytes. */
export function planOf(
  destination: Destination,
  { projectId, event: text, occurredAt, recordedAt, replay }: PlannedDelivery,
  customer: StoredCustomer,
  { baseUrl, nowMs }: { baseUrl: string; nowMs: number },
): Plan {
  const event = JSON.parse(text) as DestinationEvent;
  return planDelivery(destination, {
    event,
    occurredAtMs: occurredAt.getTime(),
    // A replay was asked for, so its event is not too old for a channel.
    recordedAtMs: replay ? nowMs : recordedAt.getTime(),
    customer,
    isOnTestClock: customer.isOnTestClock,
    isReplay: replay,
    customerUrl: customerUrl(baseUrl, projectId, event),
    nowMs,
  });
}
