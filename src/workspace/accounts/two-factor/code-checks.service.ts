import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { wrongCodesOfAccount } from '../account-limits.js';
import { accountGone, hasTwoFactor, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { CodesService } from './codes.service.js';

type Work<T> = (tx: Transaction, user: User) => Promise<T>;

/** Checks codes for all callers, so that all wrong ones of an account count together. */
@Injectable()
export class CodeChecksService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly codes: CodesService,
    private readonly limiter: RateLimiterService,
  ) {}

  /**
   * Locks the account, uses the code up and runs `work`, in one transaction. After a wrong code, only the changes of
   * `onWrong` are committed.
   * @throws ApiError 401 `two_factor_invalid`; 429 after ten wrong codes in 15 minutes, then for correct ones too
   */
  async using<T>(
    userId: string,
    code: string,
    work: Work<T>,
    onWrong?: (tx: Transaction) => Promise<void>,
  ): Promise<T> {
    // Counted before the check and reverted after success, so that parallel guesses cannot slip through.
    const hits = await this.limiter.count([wrongCodesOfAccount, userId]);
    let isWrong = false;
    try {
      const done = await this.database.transaction(async (tx) => {
        const user = await this.locked(tx, userId);
        if (await this.codes.use(tx, user, code)) return { result: await work(tx, user) };
        await onWrong?.(tx);
        return null;
      });
      if (done) return done.result;
      isWrong = true;
    } finally {
      if (!isWrong) await this.limiter.takeBack(hits);
    }
    throw new ApiError('unauthenticated', 'The code is wrong or was used before.', {
      accountType: 'two_factor_invalid',
    });
  }

  /**
   * For changes that need a code only if two-factor is on. Sessions started by an identity provider need none.
   * @throws ApiError 401 `two_factor_required`, `two_factor_invalid`; 429
   */
  async usingIfOn<T>({ userId, method }: SessionPrincipal, code: string | null, work: Work<T>): Promise<T> {
    const user = await this.users.find(userId);
    const isNeeded = method !== 'sso' && user !== null && hasTwoFactor(user);
    if (isNeeded && code !== null) return this.using(userId, code, work);
    return this.database.transaction(async (tx) => {
      const locked = await this.locked(tx, userId);
      if (hasTwoFactor(locked) && method !== 'sso') {
        throw new ApiError('unauthenticated', 'The account has two-factor on: a code is needed.', {
          accountType: 'two_factor_required',
        });
      }
      return work(tx, locked);
    });
  }

  private async locked(tx: Transaction, userId: string): Promise<User> {
    const user = await this.users.lock(tx, userId);
    if (!user) throw accountGone();
    return user;
  }
}
