import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { setupHealthQuery } from '../frame/setup-health.queries.js';
import { appOf, finishedSteps, purchaseIn } from './setup-progress.js';
import { type App, catalogQuery, latestEventQuery, pollAfter } from './setup.queries.js';

/** Everything the checklist knows; looks for calls and purchases until both have come. */
export function useSetup(projectId: string, apps: App[], chosen: string | undefined) {
  const [openedAt] = useState(() => Date.now());
  const app = appOf(apps, chosen);
  const catalog = useQuery({ ...catalogQuery(projectId, app?.id ?? ''), enabled: app !== undefined });
  const event = useQuery({
    ...latestEventQuery(projectId),
    refetchInterval: ({ state }) =>
      app === undefined || purchaseIn(state.data) !== null ? false : pollAfter(openedAt),
  });
  const purchase = purchaseIn(event.data);
  const health = useQuery({
    ...setupHealthQuery(projectId),
    refetchInterval: ({ state }) =>
      app === undefined || (purchase !== null && (state.data?.sdk_versions.length ?? 0) > 0)
        ? false
        : pollAfter(openedAt),
  });
  return {
    app,
    catalog,
    health,
    event,
    purchase,
    isReady: !event.isPending && !health.isPending && (app === undefined || !catalog.isPending),
    finished: finishedSteps({ app, catalog: catalog.data, health: health.data, event: event.data }),
  };
}

export type Setup = ReturnType<typeof useSetup>;
