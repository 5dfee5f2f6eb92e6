import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { ApiError } from '../http/errors/api-error.js';
import type { ApiRequest } from '../http/pipeline/request.js';
import { ApiRateLimitsService } from '../rate-limits/api-rate-limits.service.js';
import { ACCESS_RULE, type AccessRule } from './access.js';
import { DataLocationService } from '../data-location/data-location.service.js';
import { CredentialUsesService } from './credential-uses/credential-uses.service.js';
import { assertHere } from './misdirected.js';
import type { Permission, PermissionSet } from '../principal/permissions.js';
import { missingPermission } from './missing-permission.js';
import { otherCustomersNamed } from './customer-tokens/named-customers.js';
import type {
  OauthTokenPrincipal,
  Principal,
  PrincipalKind,
  SdkPrincipal,
  SecretKeyPrincipal,
  SessionPrincipal,
} from '../principal/principal.js';
import { RequestCredentialsService } from './request-credentials.service.js';

function named(kind: PrincipalKind): string {
  return kind === 'oauth_token' ? 'an OAuth token' : `a ${kind.replace('_', ' ')}`;
}

/** SDKs refresh an access token on a 401 of these routes, whatever the reason. */
function takesOnlyTokens({ credentials }: AccessRule): boolean {
  return credentials.length === 1 && credentials[0] === 'customer_token';
}

/** True for a principal that needs no check other than its kind. */
function isReady(cached: SdkPrincipal, request: ApiRequest): boolean {
  if (cached.kind === 'customer_token') return otherCustomersNamed(request, cached.appUserId).length === 0;
  return cached.kind === 'public_key';
}

/** @throws ApiError 400 for a body that cannot be read */
function isBodyUsable({ bodyError }: ApiRequest): true {
  if (bodyError) throw bodyError;
  return true;
}

/**
 * Checks in this order: credential (401), kind of credential (403), project visible (404), permission (403), rate limit
 * (429), readable body (400). Fields and state are validated later.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: RequestCredentialsService,
    private readonly rateLimits: ApiRateLimitsService,
    private readonly uses: CredentialUsesService,
    private readonly location: DataLocationService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (rule.credentials.length === 0 || rule.ownGuard) return isBodyUsable(request);
    const cached = this.credentials.cached(request);
    if (this.location.hasForeign && !rule.isOfOrganization) this.assertHere(request, cached);
    // Hot SDK routes return here, without creating a promise.
    if (cached && isReady(cached, request) && rule.credentials.includes(cached.kind)) {
      request.principal = cached;
      return isBodyUsable(request);
    }
    return this.check(context, rule, cached);
  }

  private async check(
    context: ExecutionContext,
    rule: AccessRule,
    cached: Principal | undefined,
  ): Promise<true> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const principal = takesOnlyTokens(rule)
      ? await this.credentials.customerOf(request)
      : (cached ?? (await this.credentials.principalOf(request)));
    if (this.location.hasForeign && !rule.isOfOrganization) this.assertHere(request, principal);
    this.assertKind(principal, rule);
    if (principal.kind === 'session') await this.assertMember(request, principal, rule);
    if (principal.kind === 'secret_key') this.assertKeyMay(request, principal, rule);
    if (principal.kind === 'oauth_token') this.assertTokenMay(request, principal, rule);
    if (principal.kind === 'customer_token') await this.credentials.assertOwnCustomer(request, principal);
    request.principal = principal;
    const limit = this.rateLimits.limitOf(request, principal, rule.permissions[0]);
    if (limit) {
      const response = context.switchToHttp().getResponse<Response>();
      await this.rateLimits.count(limit, request, response, principal);
    }
    return isBodyUsable(request);
  }

  /** @throws ApiError 421, or 503 to SDKs, if another deployment stores the project */
  private assertHere(request: ApiRequest, principal: Principal | undefined): void {
    const named = request.params.project_id as string | undefined;
    const projectId = named ?? (principal && 'projectId' in principal ? principal.projectId : undefined);
    if (projectId !== undefined) assertHere(request, projectId, this.location);
  }

  private assertKind(principal: Principal, rule: AccessRule): void {
    if (rule.credentials.includes(principal.kind)) return;
    const wanted = rule.credentials.map(named).join(' or ');
    throw new ApiError(
      'forbidden',
      `This operation does not accept ${named(principal.kind)}; use ${wanted}.`,
    );
  }

  private async assertMember(
    request: ApiRequest,
    principal: SessionPrincipal,
    rule: AccessRule,
  ): Promise<void> {
    const projectId = request.params.project_id as string | undefined;
    if (projectId === undefined || rule.isOfOrganization) return;
    const found = await this.credentials.roleIn(projectId, principal);
    if (!found) throw ApiError.missing('project', projectId);
    const { role, roleName, permissions } = found;
    principal.membership = { projectId, role, permissions };
    if (rule.selfParameter !== undefined && request.params[rule.selfParameter] === principal.userId) return;
    this.assertPermissions(permissions, rule.permissions, `role (${roleName})`);
    if (rule.adminOnly && role !== 'admin') {
      throw new ApiError('forbidden', `Only an admin of the project may do this; your role is ${roleName}.`);
    }
  }

  private assertKeyMay(request: ApiRequest, principal: SecretKeyPrincipal, rule: AccessRule): void {
    this.assertOwnProject(request, principal);
    this.assertPermissions(principal.permissions, rule.permissions, 'key');
    this.recordUse(principal);
  }

  private recordUse({ projectId, keyId }: SecretKeyPrincipal): void {
    const now = new Date(this.clock.nowMs());
    void this.uses.record(projectId, 'api_key', keyId, now).catch(() => undefined);
  }

  private assertTokenMay(request: ApiRequest, principal: OauthTokenPrincipal, rule: AccessRule): void {
    this.credentials.assertAudience(request, principal);
    this.assertOwnProject(request, principal);
    this.credentials.assertTokenMay(request, principal, rule);
  }

  private assertOwnProject({ params }: ApiRequest, principal: { projectId: string }): void {
    const projectId = params.project_id as string | undefined;
    if (projectId !== undefined && projectId !== principal.projectId)
      throw ApiError.missing('project', projectId);
  }

  private assertPermissions(held: PermissionSet, needed: Permission[], who: string): void {
    for (const permission of needed) if (!held.has(permission)) throw missingPermission(who, permission);
  }
}
