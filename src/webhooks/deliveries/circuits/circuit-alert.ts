import type { AlertKey } from '../../../workspace/alerts/project-alert.js';

/** The alert about the open circuit of an endpoint. */
export function circuitAlert(projectId: string, webhookIntegrationId: string): AlertKey {
  return { projectId, cause: 'webhook_failing', subjectId: webhookIntegrationId };
}

/** Names only the host, because paths and queries may contain secrets. `url`: null if it is not the project's own. */
export function failingMessage(
  url: string | null,
  { failures, responseStatus }: { failures: number; responseStatus: number | null },
): string {
  const last =
    responseStatus === null ? 'no answer to the last one' : `the last answer was ${responseStatus}`;
  const target = url === null ? '' : ` to ${new URL(url).host}`;
  return `${failures} deliveries in a row${target} failed; ${last}.`;
}
