import { useQueries } from '@tanstack/react-query';
import { type Summary, summariesQuery } from '../customers.queries.js';
import { summaryChunks } from './summary-chunks.js';

/** Summaries of the loaded rows, by id. */
export function useSummaries(projectId: string, ids: readonly string[]): Map<string, Summary> {
  return useQueries({
    queries: summaryChunks(ids).map((chunk) => summariesQuery(projectId, chunk)),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.items ?? []).map((summary) => [summary.id, summary])),
  });
}
