import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { SignInPolicy } from '../../../platform/auth/sign-in-policy.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CodeChecksService } from './code-checks.service.js';
import { LoginAttemptsRepository } from '../sign-in/login-attempts.repository.js';

const MAX_WRONG_CODES = 5;

/** Completes sign-ins with a code. */
@Injectable()
export class SecondStepsService {
  constructor(
    private readonly attempts: LoginAttemptsRepository,
    private readonly checks: CodeChecksService,
    private readonly sessions: SessionsService,
    private readonly policy: SignInPolicy,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the session token.
   * @throws ApiError 401 for a token that is unknown, used, expired or had five wrong codes; 401 `two_factor_invalid`;
   * 403 `sso_required`, if required since the first step; 429
   */
  async complete(loginToken: string, code: string, client: Client): Promise<string> {
    const tokenHash = credentialHash(loginToken);
    const attempt = await this.attempts.find(tokenHash, new Date(this.clock.nowMs()));
    if (!attempt) throw hasEnded();
    const { userId, method } = attempt;
    return this.checks.using(
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
}

function hasEnded(): ApiError {
  return new ApiError('unauthenticated', 'This sign-in has ended. Sign in again.', { param: 'login_token' });
}
