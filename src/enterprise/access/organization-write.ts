import type { IdempotencyClaim } from '../../platform/http/pipeline/request.js';

/** The author of a change to an organization. */
export interface OrganizationActor {
  type: 'user' | 'scim' | 'sso' | 'system';
  /** Id of the person, token or connection; null for the server itself. */
  id: string | null;
  /** Null unless the actor is a person. */
  email: string | null;
}

export const systemActor: OrganizationActor = { type: 'system', id: null, email: null };

/** Every use case that changes an organization requires one, so that no change lacks an author. */
export interface OrganizationWrite {
  readonly orgId: string;
  readonly actor: OrganizationActor;
  /** `X-Request-Id`; null for changes by the server itself. */
  readonly requestId: string | null;
  /** Set if the request must run only once. */
  readonly idempotencyClaim?: IdempotencyClaim;
}
