import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { cursorOfNextPage, PAGE_SIZE } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';

export type Transaction = Schema<'TransactionDto'>;
export type TransactionFilter = Pick<Query<'listTransactions'>, 'customer' | 'environment'>;

export const transactionsPage = (projectId: string, query: Query<'listTransactions'>, signal: AbortSignal) =>
  call(
    api.GET('/v2/projects/{project_id}/transactions', {
      params: { path: { project_id: projectId }, query },
      signal,
    }),
  );

export const transactionsQuery = (projectId: string, filter: TransactionFilter) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'transactions', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      transactionsPage(projectId, { ...filter, limit: PAGE_SIZE, starting_after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOfNextPage,
  });
