import { useQuery } from '@tanstack/react-query';
import { useDisplayCurrency } from '../frame/display-currency.js';
import { summaryQuery } from './customers.queries.js';

/** A customer's summary, with amounts in the display currency. */
export function useSummary(projectId: string, id: string, enabled = true) {
  return useQuery({ ...summaryQuery(projectId, id, useDisplayCurrency()), enabled });
}
