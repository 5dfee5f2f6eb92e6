import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { type Currency, customerKey } from '../customers.queries.js';

export type Subscription = Schema<'SubscriptionDto'>;
export type Purchase = Schema<'PurchaseDto'>;
export type Transaction = Schema<'TransactionDto'>;
export type Payment = Schema<'SubscriptionTransactionDto'>;

export const subscriptionsQuery = (projectId: string, id: string) =>
  pagedQuery([...customerKey(projectId, id), 'subscriptions'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/customers/{customer_id}/subscriptions', {
      params: {
        path: { project_id: projectId, customer_id: id },
        query: page,
      },
      signal,
    }),
  );

export const purchasesQuery = (projectId: string, id: string) =>
  pagedQuery([...customerKey(projectId, id), 'purchases'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/customers/{customer_id}/purchases', {
      params: {
        path: { project_id: projectId, customer_id: id },
        query: page,
      },
      signal,
    }),
  );

/** The payments of a subscription, newest first. */
export const paymentsQuery = (
  projectId: string,
  customerId: string,
  subscriptionId: string,
  currency?: Currency,
) =>
  pagedQuery(
    [...customerKey(projectId, customerId), 'payments', subscriptionId, currency ?? null],
    (page, signal) =>
      api.GET('/v2/projects/{project_id}/subscriptions/{subscription_id}/transactions', {
        params: {
          path: { project_id: projectId, subscription_id: subscriptionId },
          query: { ...page, sort: 'purchased_at', direction: 'desc', currency },
        },
        signal,
      }),
  );

/** Every payment and refund of a customer, newest first. */
export const customerTransactionsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...customerKey(projectId, id), 'transactions'],
    queryFn: ({ signal }) =>
      allItems(
        (page, during) =>
          api.GET('/v2/projects/{project_id}/transactions', {
            params: { path: { project_id: projectId }, query: { ...page, customer: id } },
            signal: during,
          }),
        signal,
      ) as Promise<Transaction[]>,
  });

/** Transfers of a subscription or purchase between customers. */
export const ownershipQuery = (
  projectId: string,
  customerId: string,
  kind: 'subscription' | 'purchase',
  purchaseId: string,
) =>
  queryOptions({
    queryKey: [...customerKey(projectId, customerId), 'ownership', purchaseId],
    queryFn: ({ signal }) =>
      kind === 'subscription'
        ? call(
            api.GET('/v2/projects/{project_id}/subscriptions/{subscription_id}/ownership_history', {
              params: { path: { project_id: projectId, subscription_id: purchaseId }, query: { limit: 100 } },
              signal,
            }),
          )
        : call(
            api.GET('/v2/projects/{project_id}/purchases/{purchase_id}/ownership_history', {
              params: { path: { project_id: projectId, purchase_id: purchaseId }, query: { limit: 100 } },
              signal,
            }),
          ),
  });

/** Entitlement names for the selects of dialogs. */
export const entitlementsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'customers', 'entitlements'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/entitlements', {
          params: { path: { project_id: projectId }, query: { limit: 100 } },
          signal,
        }),
      ),
  });

export const offeringsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'customers', 'offerings'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/offerings', {
          params: { path: { project_id: projectId }, query: { limit: 100 } },
          signal,
        }),
      ),
  });
