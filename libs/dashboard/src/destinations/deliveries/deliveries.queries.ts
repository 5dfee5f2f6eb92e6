import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import type { Query, Schema } from '../../api/types.js';
import type { DeliveryStatus } from '../../frame/deliveries/delivery.js';
import { msOfPeriod, type Period } from '../../frame/deliveries/period.js';
import { destinationsKey } from '../destinations.queries.js';

export type Delivery = Schema<'DestinationDeliveryDto'>;
export type DeliveryDetail = Schema<'DestinationDeliveryDetailDto'>;

export interface DeliveryFilter {
  status?: DeliveryStatus;
  type?: string;
  period?: Period;
  event?: string;
  replay?: string;
}

const POLL_MS = 3_000;
const MOST = 100;

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

export const deliveryQuery = (projectId: string, destinationId: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), destinationId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      call(
        api.GET(
          '/v2/projects/{project_id}/integrations/destinations/{destination_id}/deliveries/{destination_delivery_id}',
          {
            params: {
              path: {
                project_id: projectId,
                destination_id: destinationId,
                destination_delivery_id: deliveryId,
              },
            },
            signal,
          },
        ),
      ),
    refetchInterval: ({ state: { data } }) => (data?.status === 'pending' ? POLL_MS : false),
  });

/** The first deliveries of a replay that failed. */
export const failedOfReplay = async (
  projectId: string,
  destinationId: string,
  replay: string,
  signal: AbortSignal,
): Promise<Delivery[]> =>
  (await call(deliveriesPage(projectId, destinationId, { replay, status: 'failed', limit: MOST }, signal)))
    .items;

/** The newest deliveries, which show since when the tool fails. */
export const newestDeliveriesQuery = (projectId: string, destinationId: string) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), destinationId, 'newest'],
    queryFn: async ({ signal }): Promise<Delivery[]> =>
      (await call(deliveriesPage(projectId, destinationId, { limit: MOST }, signal))).items,
  });

/** Number of events of a period that were delivered, counted up to 1,000. */
export const deliveredQuery = (
  projectId: string,
  destinationId: string,
  range: { from: number; to: number },
  types: readonly string[],
) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), destinationId, 'delivered', range, types],
    queryFn: async ({ signal }): Promise<number> => {
      const deliveries = await allItems(
        (page, aborted) =>
          deliveriesPage(projectId, destinationId, { status: 'delivered', ...range, ...page }, aborted),
        signal,
      );
      const wanted = deliveries.filter(
        ({ event_type: type }) => types.length === 0 || types.includes(type.toLowerCase()),
      );
      return new Set(wanted.map(({ event_id: event }) => event)).size;
    },
  });
