import { api } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';

export type Transaction = Schema<'TransactionDto'>;
export type TransactionFilter = Pick<Query<'listTransactions'>, 'customer' | 'environment'>;

export const transactionsPage = (projectId: string, query: Query<'listTransactions'>, signal: AbortSignal) =>
  api.GET('/v2/projects/{project_id}/transactions', {
    params: { path: { project_id: projectId }, query },
    signal,
  });

export const transactionsQuery = (projectId: string, filter: TransactionFilter) =>
  pagedQuery([projectId, 'transactions', 'list', filter], (page, signal) =>
    transactionsPage(projectId, { ...filter, ...page }, signal),
  );
