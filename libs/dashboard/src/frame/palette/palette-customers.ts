import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, call } from '../../api/client.js';
import { allowanceIn, useProject } from '../../api/permissions.js';

const LOOKUP_AFTER_MS = 300;
const SHORTEST_LOOKUP = 3;
const MOST = 8;

interface FoundCustomer {
  id: string;
  seenAtMs: number | null;
  /** The customer's access as text; null until it is loaded. */
  access: string | null;
}

export interface CustomerLookup {
  found: FoundCustomer[];
  isLooking: boolean;
  /** Whether no customer matches the input. */
  isNone: boolean;
  error: Error | null;
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), LOOKUP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The customers with an app user id or email that starts with the input, or a store identifier that equals it. */
export function useCustomerLookup(projectId: string, typed: string): CustomerLookup {
  const wanted = typed.trim();
  const settled = useSettled(wanted);
  const project = useProject();
  const isWanted = wanted.length >= SHORTEST_LOOKUP && allowanceIn(project, 'listFilteredCustomers').allowed;
  const customers = useQuery({
    queryKey: [projectId, 'customers', 'lookup', settled],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/filtered_customers', {
          params: { path: { project_id: projectId }, query: { search: settled, limit: MOST } },
          signal,
        }),
      ),
    enabled: isWanted && settled.length >= SHORTEST_LOOKUP,
  });
  const items = isWanted ? (customers.data?.items ?? []) : [];
  const ids = items.map(({ id }) => id);
  const { data: summaries } = useQuery({
    queryKey: [projectId, 'customers', 'summaries', ids],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customer_summaries', {
          params: { path: { project_id: projectId }, query: { ids } },
          signal,
        }),
      ),
    enabled: ids.length > 0 && allowanceIn(project, 'listCustomerSummaries').allowed,
  });
  const accessOf = (id: string): string | null => {
    const summary = summaries?.items.find((item) => item.id === id);
    if (!summary) return null;
    if (summary.blocked) return 'blocked';
    return summary.active_entitlements.map(({ lookup_key: key }) => key).join(', ') || 'no access';
  };
  const isLooking = isWanted && (settled !== wanted || customers.isFetching);
  return {
    found: items.map(({ id, last_seen_at: seenAtMs }) => ({ id, seenAtMs, access: accessOf(id) })),
    isLooking,
    isNone: isWanted && !isLooking && customers.data?.items.length === 0,
    error: isWanted ? customers.error : null,
  };
}
