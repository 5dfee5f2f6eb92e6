import type { IdempotencyClaim } from '../../platform/http/request.js';

/** Who changes an organization. */
export interface OrganizationActor {
  type: 'user' | 'scim' | 'sso' | 'system';
  /** Of the person, the token or the connection; null for the server itself. */
  id: string | null;
  /** Of a person. */
  email: string | null;
}

export const systemActor: OrganizationActor = { type: 'system', id: null, email: null };

/** Every use case that changes an organization takes one, so that none can forget its author. */
export interface OrganizationWrite {
  readonly orgId: string;
  readonly actor: OrganizationActor;
  /** `X-Request-Id`; null for a change by the server itself. */
  readonly requestId: string | null;
  /** Set if the request must be carried out only once. */
  readonly idempotencyClaim?: IdempotencyClaim;
}
