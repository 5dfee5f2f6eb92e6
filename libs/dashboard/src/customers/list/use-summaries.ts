import { useQueries } from '@tanstack/react-query';
import { useDisplayCurrency } from '../../frame/display-currency.js';
import { type Summary, summariesQuery } from '../customers.queries.js';
import { summaryChunks } from './summary-chunks.js';

/** Summaries of the loaded rows, by id. */
export function useSummaries(projectId: string, ids: readonly string[]): Map<string, Summary> {
  const currency = useDisplayCurrency();
  return useQueries({
    queries: summaryChunks(ids).map((chunk) => summariesQuery(projectId, chunk, currency)),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.items ?? []).map((summary) => [summary.id, summary])),
  });
}
