import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import type { Query, Schema } from '../../api/types.js';
import type { DeliveryStatus } from '../../frame/deliveries/delivery.js';
import { msOfPeriod, type Period } from '../../frame/deliveries/period.js';
import { destinationsKey } from '../destinations.queries.js';

export type Delivery = Schema<'DestinationDeliveryDto'>;

export interface DeliveryFilter {
  status?: DeliveryStatus;
  type?: string;
  period?: Period;
  event?: string;
  replay?: string;
}

const POLL_MS = 3_000;

function deliveriesPage(
  projectId: string,
  destinationId: string,
  query: Query<'listDestinationDeliveries'>,
  signal: AbortSignal,
) {
  const path = { project_id: projectId, destination_id: destinationId };
  return api.GET('/v2/projects/{project_id}/integrations/destinations/{destination_id}/deliveries', {
    params: { path, query },
    signal,
  });
}

export const deliveriesQuery = (projectId: string, destinationId: string, filter: DeliveryFilter) =>
  pagedQuery(
    [...destinationsKey(projectId), destinationId, 'deliveries', filter],
    (page, signal) =>
      deliveriesPage(
        projectId,
        destinationId,
        {
          status: filter.status,
          event_type: filter.type,
          from: filter.period && Date.now() - msOfPeriod[filter.period],
          event_id: filter.event,
          replay: filter.replay,
          ...page,
        },
        signal,
      ),
    // Polls while further attempts are due.
    (loaded) => loaded.some(({ status }) => status === 'pending') && POLL_MS,
  );

/** The newest waiting deliveries, up to 1,000. */
export const waitingQuery = (projectId: string, destinationId: string) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), destinationId, 'waiting'],
    queryFn: ({ signal }) =>
      allItems(
        (page, aborted) => deliveriesPage(projectId, destinationId, { status: 'waiting', ...page }, aborted),
        signal,
      ),
  });
