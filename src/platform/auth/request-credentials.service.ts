import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { assertAppUserId } from '../http/bodies/app-user-id.js';
import { type ApiRequest, apiFormat } from '../http/pipeline/request.js';
import type { AccessRule } from './access.js';
import { AuthenticatorService } from './authenticator.service.js';
import { bearerChallenge } from './bearer-challenge.js';
import { CustomerIdentity } from './customer-tokens/customer-identity.js';
import { issuerOf } from './issuer.js';
import { IssuedTokensService } from './issued-tokens/issued-tokens.service.js';
import { isCustomerToken } from './customer-tokens/customer-tokens.service.js';
import type { KeyPrincipal } from './keys/key-cache.service.js';
import { permissionsWithin, reachOf, scopeOf, scopeText } from '../principal/oauth-scopes.js';
import type { Permission } from '../principal/permissions.js';
import type {
  CustomerTokenPrincipal,
  OauthTokenPrincipal,
  Principal,
  ScimTokenPrincipal,
  SessionPrincipal,
} from '../principal/principal.js';
import { type EffectiveRole, RoleResolution } from './editions/role-resolution.js';
import { missingPermission } from './missing-permission.js';
import { otherCustomersNamed } from './customer-tokens/named-customers.js';
import { assertSameOrigin } from './same-origin.js';

function invalidToken(): ApiError {
  return new ApiError('unauthenticated', 'The access token is missing, expired, revoked or not valid.', {
    code: 7224,
  });
}

function foreignCustomer(): ApiError {
  return new ApiError('unauthenticated', 'The access token is for another customer.', { code: 7224 });
}

function unauthenticated(message: string): ApiError {
  return new ApiError('unauthenticated', message);
}

const LIKE_OAUTH_TOKEN = /^bearer +atk_/i;
const LIKE_SCIM_TOKEN = /^bearer +rdscim_/i;

/** SDK routes also accept the bare key; REST v2 requires "Bearer". */
function authorizationOf(request: ApiRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  if (header.includes(' ') || apiFormat(request) !== 'v1') return header;
  return `Bearer ${header}`;
}

@Injectable()
export class RequestCredentialsService {
  constructor(
    private readonly authenticator: AuthenticatorService,
    private readonly config: Config,
    private readonly customers: CustomerIdentity,
    private readonly tokens: IssuedTokensService,
    private readonly roles: RoleResolution,
  ) {}

  /** Returns the principal of a key or access token seen before, without a promise or a query. */
  cached(request: ApiRequest): KeyPrincipal | CustomerTokenPrincipal | undefined {
    const authorization = authorizationOf(request);
    if (authorization === null || apiFormat(request) === 'scim') return undefined;
    if (!isCustomerToken(authorization)) return this.authenticator.cachedKey(authorization);
    return this.authenticator.cachedCustomer(issuerOf(request, this.config), authorization);
  }

  /**
   * Returns the customer of an access token.
   * @throws ApiError 401 with code 7224 for anything else, including known keys
   */
  async customerOf(request: ApiRequest): Promise<CustomerTokenPrincipal> {
    const authorization = authorizationOf(request);
    if (authorization === null) throw invalidToken();
    const principal = await this.authenticator.customer(issuerOf(request, this.config), authorization);
    if (!principal) throw invalidToken();
    return principal;
  }

  /**
   * Requires that the request names only the token's own customer, under any of the customer's ids.
   * @throws ApiError 401 with code 7224 if path or body name another customer; 400 for an id that is not allowed
   */
  async assertOwnCustomer(
    request: ApiRequest,
    { projectId, appUserId }: CustomerTokenPrincipal,
  ): Promise<void> {
    const others = otherCustomersNamed(request, appUserId);
    if (others.length === 0) return;
    for (const id of others) assertAppUserId(id);
    if (!(await this.customers.areOne(projectId, [appUserId, ...others]))) throw foreignCustomer();
  }

  /** @throws ApiError 401 without a valid credential, 403 for a session used from another web site */
  async principalOf(request: ApiRequest): Promise<Principal> {
    const authorization = authorizationOf(request);
    if (apiFormat(request) === 'scim') return this.scimTokenOf(authorization);
    if (authorization !== null) {
      if (isCustomerToken(authorization)) return this.customerOf(request);
      if (LIKE_OAUTH_TOKEN.test(authorization)) return this.oauthTokenOf(request, authorization);
      if (LIKE_SCIM_TOKEN.test(authorization)) return this.scimTokenOf(authorization);
      const principal = await this.authenticator.key(authorization);
      if (!principal)
        throw unauthenticated('The API key is unknown. Send it as `Authorization: Bearer <key>`.');
      return principal;
    }
    const session = apiFormat(request) === 'v1' ? null : await this.authenticator.session(request);
    if (!session)
      throw unauthenticated(
        apiFormat(request) === 'v1'
          ? 'The request has no API key. Send it as `Authorization: Bearer <key>`.'
          : 'The request has no credential, or the session has ended.',
      );
    if (request.method !== 'GET' && request.method !== 'HEAD') assertSameOrigin(request, this.config);
    return session;
  }

  /** Returns the user of the request's cookie, ignoring other credentials; null if signed out. */
  sessionOf(request: ApiRequest): Promise<SessionPrincipal | null> {
    return this.authenticator.session(request);
  }

  /** Returns null for no access. @throws ApiError 403 if the project's organization requires its identity provider */
  roleIn(projectId: string, session: SessionPrincipal): Promise<EffectiveRole | null> {
    return this.roles.find(projectId, session);
  }

  /** For browser forms, whatever credential they need. @throws ApiError 403 */
  assertSameOrigin(request: ApiRequest): void {
    assertSameOrigin(request, this.config);
  }

  /**
   * Tokens for the agent endpoint are valid here only when a tool uses them: its limits would not apply otherwise.
   * @throws ApiError 401 with a challenge
   */
  assertAudience(request: ApiRequest, { audience }: OauthTokenPrincipal): void {
    if (audience !== 'mcp' || request.tool !== undefined) return;
    throw this.invalidOauthToken(request, 'The access token is for /mcp only.');
  }

  /**
   * A token's permissions are limited to its scopes and to its user's role.
   * @throws ApiError 403 naming a missing permission, with a challenge if a client can request a scope that has it
   */
  assertTokenMay(
    request: ApiRequest,
    { permissions, reach, roleName, scopes }: OauthTokenPrincipal,
    rule: Pick<AccessRule, 'permissions' | 'scope'>,
  ): void {
    const isHeld = (permission: Permission): boolean =>
      rule.scope === undefined
        ? permissions.has(permission)
        : scopes.includes(rule.scope) && reach.has(permission);
    const missing = rule.permissions.find((permission) => !isHeld(permission));
    if (missing === undefined) return;
    const isOfRole = reach.has(missing);
    const needed = rule.permissions.map((permission) => rule.scope ?? scopeOf(permission));
    const more = needed.filter((scope) => scope !== null);
    if (!isOfRole || more.length < needed.length)
      throw missingPermission(isOfRole ? 'token' : `role (${roleName})`, missing);
    const scope = scopeText(['project:read', ...scopes, ...more]);
    const challenge = bearerChallenge(request, this.config, { error: 'insufficient_scope', scope });
    throw missingPermission('token', missing, challenge);
  }

  /** SCIM routes accept no other credential. @throws ApiError 401 with a challenge */
  private async scimTokenOf(authorization: string | null): Promise<ScimTokenPrincipal> {
    const principal = authorization && (await this.tokens.scim(authorization));
    if (principal) return principal;
    const message =
      'The SCIM token is missing, unknown or revoked. Send it as `Authorization: Bearer <token>`.';
    throw new ApiError('unauthenticated', message, { challenge: 'Bearer' });
  }

  /** @throws ApiError 401 with a challenge */
  private async oauthTokenOf(request: ApiRequest, authorization: string): Promise<OauthTokenPrincipal> {
    const grant = await this.tokens.oauth(authorization);
    const found = grant && (await this.roles.find(grant.projectId, grant));
    if (grant && found) {
      const reach = reachOf(found.role, found.permissions);
      const permissions = permissionsWithin(reach, grant.scopes);
      return { kind: 'oauth_token', ...grant, roleName: found.roleName, reach, permissions };
    }
    throw this.invalidOauthToken(request, 'The access token is unknown, expired or revoked.');
  }

  private invalidOauthToken(request: ApiRequest, message: string): ApiError {
    const problem = { error: 'invalid_token', scope: 'project:read' } as const;
    const challenge = bearerChallenge(request, this.config, problem);
    return new ApiError('unauthenticated', message, { challenge });
  }
}
