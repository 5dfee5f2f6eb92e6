import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../principal/principal.js';
import { ApiError } from '../http/errors/api-error.js';
import { type ApiRequest, apiFormat, type IdempotencyClaim } from '../http/pipeline/request.js';

export interface Actor {
  type: 'user' | 'system' | 'api_key' | 'oauth_client' | 'scim';
  /** Email address of a person; id of a key, client or token; or `system`. */
  identifier: string;
}

export interface RequestOrigin {
  method: string;
  status: number;
  interface?: 'v1';
  /** The grant of an OAuth client; the grant's audit row names the person. */
  grant_id?: string;
  /** The agent's tool that made the change. */
  tool?: string;
}

/** Required by every operation that changes configuration, so that each change has an author. */
export interface ProjectWrite {
  readonly projectId: string;
  readonly actor: Actor;
  /** The request, with `interface` unless it is REST v2; null for a change by the server itself. */
  readonly request: RequestOrigin | null;
  /** Set if the request must be executed at most once. */
  readonly idempotencyClaim?: IdempotencyClaim;
}

export const systemChange: Omit<ProjectWrite, 'projectId'> = {
  actor: { type: 'system', identifier: 'system' },
  request: null,
};

function actorOf(principal: Principal | undefined): Actor {
  switch (principal?.kind) {
    case 'session':
      return { type: 'user', identifier: principal.email };
    case 'secret_key':
      return { type: 'api_key', identifier: principal.keyId };
    case 'oauth_token':
      return { type: 'oauth_client', identifier: principal.clientId };
    case 'scim_token':
      return { type: 'scim', identifier: principal.tokenId };
    case 'public_key':
    case 'customer_token':
    case undefined:
      throw new ApiError('unauthenticated', 'The request has no credential that can change a project.');
  }
}

export function requestChange(request: ApiRequest): Omit<ProjectWrite, 'projectId'> {
  const status = request.res?.statusCode ?? 200;
  const { method, idempotencyClaim, principal, tool } = request;
  const origin: RequestOrigin = { method, status };
  if (apiFormat(request) === 'v1') origin.interface = 'v1';
  if (principal?.kind === 'oauth_token') origin.grant_id = principal.grantId;
  if (tool !== undefined) origin.tool = tool;
  return { actor: actorOf(principal), request: origin, idempotencyClaim };
}

function projectOf({ params, principal }: ApiRequest): string {
  if (typeof params.project_id === 'string') return params.project_id;
  if (principal?.kind === 'secret_key') return principal.projectId;
  throw new Error('the request names no project');
}

/** The `ProjectWrite` of a request, for the project in its path (REST v1: the project of its key). */
export const CurrentWrite = createParamDecorator((_: unknown, context: ExecutionContext): ProjectWrite => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  return { ...requestChange(request), projectId: projectOf(request) };
});
