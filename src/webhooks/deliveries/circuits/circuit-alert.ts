import type { AlertKey } from '../../../workspace/alerts/project-alert.js';

/** The alert about the open circuit of an endpoint. */
export function circuitAlert(projectId: string, webhookIntegrationId: string): AlertKey {
  return { projectId, cause: 'webhook_failing', subjectId: webhookIntegrationId };
}

/** Names only the host, because paths and queries of webhooks may contain secrets. */
export function failingMessage(
  url: string,
  { failures, responseStatus }: { failures: number; responseStatus: number | null },
): string {
  const last =
    responseStatus === null ? 'no answer to the last one' : `the last answer was ${responseStatus}`;
  return `${failures} deliveries in a row to ${new URL(url).host} failed; ${last}.`;
}
