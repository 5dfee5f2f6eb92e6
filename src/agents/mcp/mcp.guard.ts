import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { bearerChallenge } from '../../platform/auth/bearer-challenge.js';
import { RequestCredentialsService } from '../../platform/auth/request-credentials.service.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ReadinessService } from '../../platform/observability/readiness.service.js';
import { agentOf, type AgentPrincipal } from './agent-principal.js';
import { corsHeaders, isAllowedOrigin, isOwnHost } from './mcp-site.policy.js';

function nullIfUnknown(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}

/** Checks the origin (403), then shutdown (503), then the credential (401). */
@Injectable()
export class McpGuard implements CanActivate {
  constructor(
    private readonly credentials: RequestCredentialsService,
    private readonly readiness: ReadinessService,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    this.assertSite(request);
    const isPreflight = request.method === 'OPTIONS';
    for (const [name, value] of Object.entries(corsHeaders(request, isPreflight))) {
      http.getResponse<Response>().setHeader(name, value);
    }
    if (request.method !== 'POST') return true;
    if (this.readiness.isLeaving) {
      throw new ApiError('overloaded', 'The server is stopping. Send the request again.', { retryAfterS: 1 });
    }
    request.principal = await this.principalOf(request);
    return true;
  }

  private assertSite({ host, headers: { origin } }: ApiRequest): void {
    if (!isOwnHost(host, this.config)) {
      throw new ApiError(
        'forbidden',
        'The request was sent to another host than this server. Set SERVICE_PUBLIC_URL to the address that clients use.',
      );
    }
    if (origin !== undefined && !isAllowedOrigin(origin, this.config)) {
      throw new ApiError('forbidden', 'Pages of this site may not call tools (SERVICE_MCP_ORIGINS).');
    }
  }

  private async principalOf(request: ApiRequest): Promise<AgentPrincipal> {
    // Ignores cookies, because any page could send them.
    if (request.headers.authorization === undefined) throw this.unauthenticated(request);
    const cached = this.credentials.cached(request);
    const principal = cached ?? (await this.credentials.principalOf(request).catch(nullIfUnknown));
    const agent = principal && agentOf(principal);
    if (!agent) throw this.unauthenticated(request, 'invalid_token');
    return agent;
  }

  /** The challenge tells clients how to sign in. */
  private unauthenticated(request: ApiRequest, error?: 'invalid_token'): ApiError {
    const message = error
      ? 'The token is unknown, expired, revoked, or not for this endpoint.'
      : 'Send a secret key, or an access token of an OAuth client, as `Authorization: Bearer <token>`.';
    const challenge = bearerChallenge(request, this.config, { error, scope: 'project:read' });
    return new ApiError('unauthenticated', message, { challenge });
  }
}
