import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { currencies } from '../api/currencies.js';
import type { Schema } from '../api/types.js';
import type { ApiFilters } from './list/customer-filters.js';

export type Customer = Schema<'CustomerDto'>;
export type Summary = Schema<'CustomerSummaryDto'>;
export type Explanation = Schema<'AccessExplanationDto'>;
export type Source = Schema<'AccessSourceDto'>;
export type ListedCustomer = Schema<'FilteredCustomerDto'>;

export type Currency = (typeof currencies)[number];

/** Prefix of all query keys of a project's customers. */
export const customersKey = (projectId: string) => [projectId, 'customers'] as const;
/** Prefix of all query keys of one customer, by the id in the address. */
export const customerKey = (projectId: string, id: string) => [projectId, 'customers', 'one', id] as const;

export const customersQuery = (projectId: string, filters: ApiFilters) =>
  pagedQuery([...customersKey(projectId), 'list', filters], (page, signal) =>
    api.GET('/v2/projects/{project_id}/filtered_customers', {
      params: { path: { project_id: projectId }, query: { ...filters, ...page } },
      signal,
    }),
  );

export const customerCountQuery = (projectId: string, filters: ApiFilters) =>
  queryOptions({
    queryKey: [...customersKey(projectId), 'count', filters],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/filtered_customers/count', {
          params: { path: { project_id: projectId }, query: filters },
          signal,
        }),
      ),
  });

export const summariesQuery = (projectId: string, ids: string[], currency: Currency) =>
  queryOptions({
    queryKey: [...customersKey(projectId), 'summaries', ids, currency],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customer_summaries', {
          params: { path: { project_id: projectId }, query: { ids, currency } },
          signal,
        }),
      ),
  });

const at = (projectId: string, id: string) => ({ project_id: projectId, customer_id: id });

export const customerQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...customerKey(projectId, id), 'customer'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customers/{customer_id}', {
          params: { path: at(projectId, id), query: { expand: ['attributes'] } },
          signal,
        }),
      ),
  });

/** Prefix of the keys of one customer's summaries. */
export const summaryKey = (projectId: string, id: string) => [...customerKey(projectId, id), 'summary'];

export const summaryQuery = (projectId: string, id: string, currency: Currency) =>
  queryOptions({
    ...summariesQuery(projectId, [id], currency),
    queryKey: [...summaryKey(projectId, id), currency],
  });

export const explanationQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...customerKey(projectId, id), 'access'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customers/{customer_id}/access_explanation', {
          params: { path: at(projectId, id) },
          signal,
        }),
      ),
  });

export const timelineQuery = (
  projectId: string,
  id: string,
  environment: 'production' | 'sandbox' | undefined,
) =>
  pagedQuery([...customerKey(projectId, id), 'events', environment ?? null], (page, signal) =>
    api.GET('/v2/projects/{project_id}/customers/{customer_id}/events', {
      params: {
        path: at(projectId, id),
        query: { environment, ...page },
      },
      signal,
    }),
  );

export const aliasesQuery = (projectId: string, id: string) =>
  pagedQuery([...customerKey(projectId, id), 'aliases'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/customers/{customer_id}/aliases', {
      params: { path: at(projectId, id), query: page },
      signal,
    }),
  );

export const balancesQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...customerKey(projectId, id), 'balances'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customers/{customer_id}/virtual_currencies', {
          params: { path: at(projectId, id), query: { include_empty_balances: true, limit: 100 } },
          signal,
        }),
      ),
  });

/** Blocked ids of a customer, with reasons. */
export const blocksQuery = (projectId: string, id: string, aliases: readonly string[]) =>
  queryOptions({
    queryKey: [...customerKey(projectId, id), 'blocks'],
    queryFn: async ({ signal }) => {
      const { items, next_page: more } = await call(
        api.GET('/v2/projects/{project_id}/blocked_customers', {
          params: { path: { project_id: projectId }, query: { limit: 100 } },
          signal,
        }),
      );
      const found = items.filter(({ app_user_id: blocked }) => aliases.includes(blocked));
      if (found.length > 0 || more === null) return found;
      // The id is not among the hundred newest blocks.
      const path = { project_id: projectId, app_user_id: id };
      return [
        await call(
          api.GET('/v2/projects/{project_id}/blocked_customers/{app_user_id}', { params: { path }, signal }),
        ),
      ];
    },
  });
