import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import { type Health, healthOf } from './webhook-health.js';
import { failingQuery, statesQuery, type WebhookState } from './webhooks.queries.js';

interface WebhookHealth {
  state: WebhookState;
  health: Health;
}

/** Returns a function that looks up an integration's state; undefined while it is unknown. */
export function useHealth(projectId: string): (webhookId: string) => WebhookHealth | undefined {
  const mayHealth = useMay('getSetupHealth').allowed;
  const states = useQuery(statesQuery(projectId));
  const failing = useQuery({ ...failingQuery(projectId), enabled: mayHealth });
  return (webhookId) => {
    const state = states.data?.find(({ id }) => id === webhookId);
    if (!state || (failing.isPending && failing.isFetching)) return undefined;
    return {
      state,
      health: healthOf(
        state,
        failing.data?.find(({ id }) => id === webhookId),
      ),
    };
  };
}
