import type { AlertKey } from '../../../workspace/alerts/project-alert.js';
import type { IntegrationType } from '../integrations/integration.entity.js';

/** The alert about the open circuit of an endpoint. */
export function circuitAlert(
  projectId: string,
  webhookIntegrationId: string,
  type: IntegrationType,
): AlertKey {
  const cause = type === 'webhook' ? 'webhook_failing' : 'destination_failing';
  return { projectId, cause, subjectId: webhookIntegrationId };
}

export interface EndpointFailure {
  failures: number;
  responseStatus: number | null;
  /** The endpoint refuses the credentials. */
  isRefused: boolean;
}

/** Names only the host, because paths and queries may contain secrets. `url`: null if it is not the project's own. */
export function failingMessage(
  url: string | null,
  { failures, responseStatus, isRefused }: EndpointFailure,
): string {
  if (isRefused) {
    const answer = responseStatus === null ? '' : `; the last answer was ${responseStatus}`;
    return `The key is refused${answer}.`;
  }
  const last =
    responseStatus === null ? 'no answer to the last one' : `the last answer was ${responseStatus}`;
  const target = url === null ? '' : ` to ${new URL(url).host}`;
  return `${failures} deliveries in a row${target} failed; ${last}.`;
}
