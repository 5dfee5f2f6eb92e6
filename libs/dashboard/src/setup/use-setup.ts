import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { setupHealthQuery } from '../frame/health/setup-health.queries.js';
import { appOf, finishedSteps, purchaseIn } from './setup-progress.js';
import { type App, catalogQuery, latestTransactionQuery, pollAfter } from './setup.queries.js';

/** All data of the checklist. Polls for calls and purchases until both have arrived. */
export function useSetup(projectId: string, apps: App[], chosen: string | undefined) {
  const [openedAt] = useState(() => Date.now());
  const app = appOf(apps, chosen);
  const catalog = useQuery({ ...catalogQuery(projectId, app?.id ?? ''), enabled: app !== undefined });
  const transaction = useQuery({
    ...latestTransactionQuery(projectId),
    refetchInterval: ({ state }) =>
      app === undefined || purchaseIn(state.data) !== null ? false : pollAfter(openedAt),
  });
  const purchase = purchaseIn(transaction.data);
  const health = useQuery({
    ...setupHealthQuery(projectId),
    refetchInterval: ({ state }) =>
      app === undefined || (purchase !== null && (state.data?.sdk_versions.length ?? 0) > 0)
        ? false
        : pollAfter(openedAt),
  });
  const hasAll = !transaction.isPending && !health.isPending && (app === undefined || !catalog.isPending);
  const [isReady, setIsReady] = useState(hasAll);
  // Once shown, the steps stay mounted: a new app's catalog loads inside its step, and the focus is kept.
  if (hasAll && !isReady) setIsReady(true);
  return {
    app,
    catalog,
    health,
    transaction,
    purchase,
    isReady,
    finished: finishedSteps({
      app,
      catalog: catalog.data,
      health: health.data,
      transaction: transaction.data,
    }),
  };
}

export type Setup = ReturnType<typeof useSetup>;
