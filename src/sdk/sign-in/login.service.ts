import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import type { Device } from '../../customers/customers/last-seen.recorder.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { AuthSettingsService } from '../auth-providers/settings/auth-settings.service.js';
import {
  type CallingApp,
  CustomerSessionsService,
  type StartedSession,
} from '../customer-sessions/customer-sessions.service.js';
import type { LoginBody } from './sign-in.body.js';

export interface Login extends LoginBody {
  app: CallingApp;
  device: Device | null;
  requestId: string;
}

function notPossible(message: string): ApiError {
  return new ApiError('forbidden', message, { code: 7224 });
}

const newAnonymousId = (): string => `$RCAnonymousID:${randomUUID().replaceAll('-', '')}`;

@Injectable()
export class LoginService {
  constructor(
    private readonly settings: AuthSettingsService,
    private readonly sessions: CustomerSessionsService,
    private readonly customers: CustomersService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 401 for an ID token that fails a check, 403 while sign-in is off, 503 without the provider's keys */
  async login(login: Login): Promise<StartedSession> {
    const { app } = login;
    const { enabled, allowAnonymous } = await this.settings.of(app.projectId);
    if (!enabled) throw notPossible('Sign-in is not turned on for this app.');
    if (login.method !== 'anonymous') throw notPossible('No enabled provider issued this ID token.');
    if (!allowAnonymous) throw notPossible('Anonymous sign-in is not turned on for this app.');
    return this.signInAnonymously(login);
  }

  private signInAnonymously({ app: { projectId, appId }, device }: Login): Promise<StartedSession> {
    const appUserId = newAnonymousId();
    return this.database.transaction(async (tx) => {
      await this.customers.create(tx, projectId, appUserId, device, this.clock.nowMs());
      const start = {
        projectId,
        appId,
        appUserId,
        method: 'anonymous',
        providerId: null,
        subject: null,
      } as const;
      return this.sessions.start(tx, start);
    });
  }
}
