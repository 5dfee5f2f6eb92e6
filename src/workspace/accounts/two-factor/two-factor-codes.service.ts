import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import { wrongCodesOfAccount } from '../account-limits.js';
import { accountGone, hasTwoFactor, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { normalizeCode, recoveryCodeHash } from './recovery-codes.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { totpSecretPlace } from './secret-places.js';
import { isTotpCode, stepOfCode } from './totp.js';

type Work<T> = (tx: Transaction, user: User) => Promise<T>;

/**
 * Codes of authenticator apps and recovery codes; each works once. Checks them for all callers, so that all wrong ones
 * of an account count together.
 */
@Injectable()
export class TwoFactorCodesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly secrets: SecretsService,
    private readonly limiter: RateLimiterService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Locks the account, uses the code up and runs `work`, in one transaction. After a wrong code, only the changes of
   * `onWrong` are committed.
   * @throws ApiError 401 `two_factor_invalid`; 429 after ten wrong codes in 15 minutes, then for correct ones too
   */
  async withCode<T>(
    userId: string,
    code: string,
    work: Work<T>,
    onWrong?: (tx: Transaction) => Promise<void>,
  ): Promise<T> {
    const done = await this.limiter.countGuess([[wrongCodesOfAccount, userId]], () =>
      this.database.transaction(async (tx) => {
        const user = await this.lockAccount(tx, userId);
        if (await this.useUp(tx, user, code)) return { result: await work(tx, user) };
        await onWrong?.(tx);
        return null;
      }),
    );
    if (done) return done.result;
    throw new ApiError('unauthenticated', 'The code is wrong or was used before.', {
      accountType: 'two_factor_invalid',
    });
  }

  /**
   * For changes that need a code only if two-factor is on. Sessions started by an identity provider need none.
   * @throws ApiError 401 `two_factor_required`, `two_factor_invalid`; 429
   */
  async withCodeIfOn<T>(
    { userId, method }: SessionPrincipal,
    code: string | null,
    work: Work<T>,
  ): Promise<T> {
    const user = await this.users.find(userId);
    const isNeeded = method !== 'sso' && user !== null && hasTwoFactor(user);
    if (isNeeded && code !== null) return this.withCode(userId, code, work);
    return this.database.transaction(async (tx) => {
      const locked = await this.lockAccount(tx, userId);
      if (hasTwoFactor(locked) && method !== 'sso') {
        throw new ApiError('unauthenticated', 'The account has two-factor on: a code is needed.', {
          accountType: 'two_factor_required',
        });
      }
      return work(tx, locked);
    });
  }

  private async lockAccount(tx: Transaction, userId: string): Promise<User> {
    const user = await this.users.lock(tx, userId);
    if (!user) throw accountGone();
    return user;
  }

  /** Uses up a code of either kind; returns false if it is wrong or was used before. `user` must be locked by `tx`. */
  private useUp(tx: Transaction, user: User, code: string): Promise<boolean> {
    const normalized = normalizeCode(code);
    return isTotpCode(normalized)
      ? this.useUpTotp(tx, user, normalized)
      : this.recoveryCodes.delete(tx, user.id, recoveryCodeHash(normalized));
  }

  private async useUpTotp(tx: Transaction, user: User, code: string): Promise<boolean> {
    if (!user.sealedTotpSecret) return false;
    const secret = this.secrets.open(user.sealedTotpSecret, totpSecretPlace(user.id));
    const lastStep = user.totpLastStep ? Number(user.totpLastStep) : null;
    const step = stepOfCode({ secret, lastStep }, code, this.clock.nowMs());
    if (step === null) return false;
    await this.users.update(user.id, { totpLastStep: String(step) }, tx);
    return true;
  }
}
