import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, MoreThanOrEqual, Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { LoginAttempt } from './login-attempt.entity.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

@Injectable()
export class LoginAttemptsRepository {
  constructor(@InjectRepository(LoginAttempt) private readonly attempts: Repository<LoginAttempt>) {}

  async insert(tx: Transaction, attempt: LoginAttempt): Promise<void> {
    await onTransaction(this.attempts, tx).insert(attempt);
  }

  /** Returns null if the token is unknown or has expired. */
  find(tokenHash: Buffer, now: Date): Promise<LoginAttempt | null> {
    return this.attempts.findOneBy({ tokenHash, expiresAt: MoreThan(now) });
  }

  /** Counts a wrong code; the attempt ends when the count reaches `max`. */
  async countWrongCode(tx: Transaction, tokenHash: Buffer, max: number): Promise<void> {
    const attempts = onTransaction(this.attempts, tx);
    await attempts.increment({ tokenHash }, 'wrongCodes', 1);
    await attempts.delete({ tokenHash, wrongCodes: MoreThanOrEqual(max) });
  }

  /** Returns false if the attempt has ended. */
  async delete(tx: Transaction, tokenHash: Buffer): Promise<boolean> {
    return (await onTransaction(this.attempts, tx).delete({ tokenHash })).affected === 1;
  }

  async deleteOfUser(tx: Transaction, userId: string): Promise<void> {
    await onTransaction(this.attempts, tx).delete({ userId });
  }

  @Cleanup('account_cleanup')
  async deleteEnded(now: Date): Promise<number> {
    return (await this.attempts.delete({ expiresAt: LessThanOrEqual(now) })).affected ?? 0;
  }
}
