import { Injectable } from '@nestjs/common';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CustomerTokenKeyService } from '../../platform/auth/customer-tokens/customer-token-key.service.js';
import { isAnonymousId } from '../../platform/http/bodies/app-user-id.js';
import { CustomerSessionsService } from '../customer-sessions/customer-sessions.service.js';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Resolves `link_to_id` of a login. */
@Injectable()
export class LinkedIdsService {
  constructor(
    private readonly key: CustomerTokenKeyService,
    private readonly sessions: CustomerSessionsService,
    private readonly customers: CustomersService,
  ) {}

  /**
   * The anonymous app user id of a known customer. Null for anything else, which is ignored: an unknown id, an
   * identified one, or an ID token that has another issuer or project or whose session has ended.
   */
  async anonymousId(projectId: string, linkToId: string, issuer: string): Promise<string | null> {
    const isToken = JWT.test(linkToId);
    const appUserId = isToken ? await this.fromIdToken(projectId, linkToId, issuer) : linkToId;
    if (appUserId === null || !isAnonymousId(appUserId)) return null;
    return (await this.customers.find(projectId, appUserId)) === null ? null : appUserId;
  }

  /** Accepts expired ID tokens, because SDKs keep old ones. */
  private async fromIdToken(projectId: string, token: string, issuer: string): Promise<string | null> {
    const claims = this.key.idTokenClaims(token);
    if (claims === null || claims.iss !== issuer) return null;
    const session = { projectId, id: claims.sid, appId: claims.aud };
    return (await this.sessions.isActive(session)) ? claims['rc.app_user_id'] : null;
  }
}
