import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CustomerTokenKeyService } from '../../platform/auth/customer-tokens/customer-token-key.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { isAnonymousId } from '../../platform/http/bodies/app-user-id.js';
import {
  AuthIdentitiesService,
  type MappedIdentity,
} from '../auth-providers/identities/auth-identities.service.js';
import { CustomerSessionsService } from '../customer-sessions/customer-sessions.service.js';
import type { JoiningSignIn } from '../identity/customer-joins.service.js';
import { IdentifyService } from '../identity/identify.service.js';
import type { Login } from './login.js';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** An anonymous customer to be joined with the one who signs in. */
type Link = Omit<JoiningSignIn, 'newAppUserId'>;

/** The customer of an identity. */
@Injectable()
export class SignedInCustomersService {
  constructor(
    private readonly identities: AuthIdentitiesService,
    private readonly identifying: IdentifyService,
    private readonly sessions: CustomerSessionsService,
    private readonly key: CustomerTokenKeyService,
    private readonly customers: CustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Loads what the sign-in's transaction needs to join the customer of `link_to_id`; null if there is none. */
  async findLink({ app, linkToId, issuer, device, requestId }: Login): Promise<Link | null> {
    const { projectId, appId } = app;
    const anonymousId = linkToId && (await this.findAnonymousId(projectId, linkToId, issuer));
    if (!anonymousId) return null;
    const join = { projectId, appId, currentAppUserId: anonymousId, newAppUserId: '', device, requestId };
    return this.identifying.prepare(join);
  }

  /** Records the sign-in, joins the linked customer as `logIn` does, and returns the app user id. */
  async signIn(tx: Transaction, login: Login, identity: MappedIdentity, link: Link | null): Promise<string> {
    const { appUserId } = await this.identities.recordSignIn(tx, login.app.projectId, identity);
    if (link) await this.identifying.signIn(tx, { ...link, newAppUserId: appUserId });
    await this.create(tx, login, appUserId);
    return appUserId;
  }

  /** Does nothing if the id is in use. */
  async create(tx: Transaction, { app, device }: Login, appUserId: string): Promise<void> {
    await this.customers.create(tx, app.projectId, appUserId, device, this.clock.nowMs());
  }

  /**
   * Resolves `link_to_id` to the anonymous app user id of a known customer. Returns null for anything else, which is
   * ignored: an unknown id, an identified one, or an ID token that has another issuer or project or whose session has
   * ended.
   */
  private async findAnonymousId(projectId: string, linkToId: string, issuer: string): Promise<string | null> {
    const isToken = JWT.test(linkToId);
    const appUserId = isToken ? await this.appUserIdOf(projectId, linkToId, issuer) : linkToId;
    if (appUserId === null || !isAnonymousId(appUserId)) return null;
    return (await this.customers.find(projectId, appUserId)) === null ? null : appUserId;
  }

  /** Accepts expired ID tokens, because SDKs keep old ones. */
  private async appUserIdOf(projectId: string, token: string, issuer: string): Promise<string | null> {
    const claims = this.key.idTokenClaims(token);
    if (claims === null || claims.iss !== issuer) return null;
    const session = { projectId, id: claims.sid, appId: claims.aud };
    return (await this.sessions.isActive(session)) ? claims['rc.app_user_id'] : null;
  }
}
