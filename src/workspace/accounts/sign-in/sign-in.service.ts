import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newToken } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { SignInPolicy } from '../../../platform/auth/editions/sign-in-policy.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionMethod } from '../../../platform/principal/principal.js';
import { PasswordCheckService, wrongCredentials } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TwoFactorCodesService } from '../two-factor/two-factor-codes.service.js';
import { hasTwoFactor, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { LoginAttemptsRepository } from './login-attempts.repository.js';
import { SignInQueueService } from './sign-in-queue.service.js';

const LOGIN_TOKEN_LIFETIME_S = 10 * 60;
const MAX_WRONG_CODES = 5;

/** A session, or the token of a sign-in that still needs its code. */
export type SignInStep = { sessionToken: string } | { loginToken: string };

function hasEnded(): ApiError {
  return new ApiError('unauthenticated', 'This sign-in has ended. Sign in again.', { param: 'login_token' });
}

/** Sign-in in two steps: a password or a link in a mail, then a code if the account has two-factor. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: DatabaseService,
    private readonly passwords: PasswordCheckService,
    private readonly users: UsersRepository,
    private readonly attempts: LoginAttemptsRepository,
    private readonly codes: TwoFactorCodesService,
    private readonly sessions: SessionsService,
    private readonly queue: SignInQueueService,
    private readonly policy: SignInPolicy,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Requires a normalised address and password.
   * @throws ApiError 401 for an unknown address or a wrong password; 403 `sso_required`; 429; 503
   */
  async signIn(email: string, password: string, client: Client): Promise<SignInStep> {
    await this.policy.assertPasswordAllowed(email);
    return this.queue.run(async () => {
      const step =
        (await this.tryPassword(email, password, client)) ??
        (await this.tryPassword(email, password, client));
      if (!step) throw wrongCredentials();
      return step;
    });
  }

  /**
   * Runs after a proven first factor: a correct password, or a link in a mail. `user` must be locked by `tx`
   * (`UsersRepository.lock`), so that two-factor cannot be turned on in the meantime.
   */
  async completeFirstStep(
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

  /**
   * Completes a sign-in with a code and returns the session token.
   * @throws ApiError 401 for a token that is unknown, used, expired or had five wrong codes; 401 `two_factor_invalid`;
   * 403 `sso_required`, if required since the first step; 429
   */
  async completeWithCode(loginToken: string, code: string, client: Client): Promise<string> {
    const tokenHash = credentialHash(loginToken);
    const attempt = await this.attempts.find(tokenHash, new Date(this.clock.nowMs()));
    if (!attempt) throw hasEnded();
    const { userId, method } = attempt;
    return this.codes.withCode(
      userId,
      code,
      async (tx, { email }) => {
        if (!(await this.attempts.delete(tx, tokenHash))) throw hasEnded();
        await this.policy.assertPasswordAllowed(email, tx);
        return this.sessions.start(tx, userId, method, client);
      },
      (tx) => this.attempts.countWrongCode(tx, tokenHash, MAX_WRONG_CODES),
    );
  }

  /**
   * Returns null if the stored hash changed during the check: a session of the old password must not outlive the
   * change.
   */
  private async tryPassword(email: string, password: string, client: Client): Promise<SignInStep | null> {
    const { userId, storedHash, freshHash } = await this.passwords.check(email, password, client);
    return this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (user?.passwordHash !== storedHash) return null;
      if (freshHash !== null) await this.users.update(userId, { passwordHash: freshHash }, tx);
      return this.completeFirstStep(tx, user, 'password', client);
    });
  }
}
