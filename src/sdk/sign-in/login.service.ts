import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { AuthSettingsService } from '../auth-providers/settings/auth-settings.service.js';
import {
  CustomerSessionsService,
  type NewSession,
  type StartedSession,
} from '../customer-sessions/customer-sessions.service.js';
import { IdTokensService } from '../auth-providers/id-tokens/id-tokens.service.js';
import type { MappedIdentity } from '../auth-providers/identities/auth-identities.service.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import type { Login } from './login.js';
import { SignedInCustomersService } from './signed-in-customers.service.js';

const newAnonymousId = (): string => `$RCAnonymousID:${randomUUID().replaceAll('-', '')}`;

@Injectable()
export class LoginService {
  constructor(
    private readonly settings: AuthSettingsService,
    private readonly idTokens: IdTokensService,
    private readonly limits: SignInLimitsService,
    private readonly customers: SignedInCustomersService,
    private readonly sessions: CustomerSessionsService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * @throws ApiError 401 for an ID token that fails a check, 403 if sign-in is off or no enabled provider matches, 429
   * for too many failed checks, 503 if the provider's keys are unavailable
   */
  login(login: Login): Promise<StartedSession> {
    return login.idToken === null ? this.signInAnonymously(login) : this.signIn(login, login.idToken);
  }

  private async signInAnonymously(login: Login): Promise<StartedSession> {
    const { projectId, appId } = login.app;
    const { enabled, allowAnonymous } = await this.settings.forProject(projectId);
    if (!enabled || !allowAnonymous) {
      const what = enabled ? 'Anonymous sign-in' : 'Sign-in';
      throw new ApiError('forbidden', `${what} is turned off in this project.`, { code: 7224 });
    }
    const appUserId = newAnonymousId();
    return this.database.transaction(async (tx) => {
      await this.customers.create(tx, login, appUserId);
      const session: NewSession = {
        projectId,
        appId,
        appUserId,
        method: 'anonymous',
        providerId: null,
        subject: null,
      };
      return this.sessions.start(tx, session);
    });
  }

  private async signIn(login: Login, idToken: string): Promise<StartedSession> {
    const { app, method } = login;
    const { projectId, appId } = app;
    const identity = await this.checkIdToken(login, idToken);
    const link = await this.customers.findLink(login);
    return this.database.transaction(
      async (tx) => {
        const appUserId = await this.customers.signIn(tx, login, identity, link);
        const { providerId, subject } = identity;
        return this.sessions.start(tx, { projectId, appId, appUserId, method, providerId, subject });
      },
      // Two devices may sign in the same new customer at once. The later one retries.
      { retryUniqueViolation: true },
    );
  }

  /** Limits failures. @throws ApiError 401, 403, 503; 429 after too many failed tokens */
  private async checkIdToken({ app, method, ip }: Login, idToken: string): Promise<MappedIdentity> {
    if (method === 'anonymous') throw new Error('an anonymous login has no ID token');
    try {
      const checked = await this.idTokens.check(app.projectId, method, idToken);
      const { provider, subject, mappedAppUserId } = checked;
      return { providerId: provider.id, subject, mappedAppUserId };
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unauthenticated') {
        await this.limits.countRefusedIdToken(ip, app.appId);
      }
      throw error;
    }
  }
}
