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
import { CheckedIdTokensService } from './checked-id-tokens.service.js';
import type { Login } from './login.js';
import { SignedInCustomersService } from './signed-in-customers.service.js';

const newAnonymousId = (): string => `$RCAnonymousID:${randomUUID().replaceAll('-', '')}`;

@Injectable()
export class LoginService {
  constructor(
    private readonly settings: AuthSettingsService,
    private readonly idTokens: CheckedIdTokensService,
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
    const { enabled, allowAnonymous } = await this.settings.of(projectId);
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
    const identity = await this.idTokens.check(login, idToken);
    const link = await this.customers.linkOf(login);
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
}
