import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newToken } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { SessionMethod } from '../../../platform/principal/principal.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { hasTwoFactor, type User } from '../user.entity.js';
import { LoginAttemptsRepository } from '../sign-in/login-attempts.repository.js';

const LOGIN_TOKEN_LIFETIME_S = 10 * 60;

/** A session, or the token of a sign-in that still needs its code. */
export type SignInStep = { sessionToken: string } | { loginToken: string };

@Injectable()
export class SignInStepsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly attempts: LoginAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Runs after a proven first factor: a correct password, or a link in a mail. `user` must be locked by `tx`
   * (`UsersRepository.lock`), so that two-factor cannot be turned on in the meantime.
   */
  async afterFirstFactor(
    tx: Transaction,
    user: User,
    method: SessionMethod,
    client: Client,
  ): Promise<SignInStep> {
    if (!hasTwoFactor(user)) return { sessionToken: await this.sessions.start(tx, user.id, method, client) };
    const loginToken = newToken();
    await this.attempts.insert(tx, {
      tokenHash: credentialHash(loginToken),
      userId: user.id,
      method,
      wrongCodes: 0,
      expiresAt: new Date(this.clock.nowMs() + LOGIN_TOKEN_LIFETIME_S * 1000),
    });
    return { loginToken };
  }
}
