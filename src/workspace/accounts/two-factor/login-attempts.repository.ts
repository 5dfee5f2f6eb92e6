import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { LoginAttempt } from './login-attempt.entity.js';

@Injectable()
export class LoginAttemptsRepository {
  constructor(@InjectRepository(LoginAttempt) private readonly attempts: Repository<LoginAttempt>) {}

  async insert(tx: Transaction, attempt: LoginAttempt): Promise<void> {
    await onTransaction(this.attempts, tx).insert(attempt);
  }

  /** Null if the token is unknown or has expired. */
  find(tokenHash: Buffer, now: Date): Promise<LoginAttempt | null> {
    return this.attempts.findOneBy({ tokenHash, expiresAt: MoreThan(now) });
  }

  /** Makes simultaneous codes of one attempt wait for each other. */
  lock(tx: Transaction, tokenHash: Buffer): Promise<LoginAttempt | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.attempts, tx).findOne({ where: { tokenHash }, lock });
  }

  async countWrongCode(tx: Transaction, { tokenHash, wrongCodes }: LoginAttempt): Promise<void> {
    await onTransaction(this.attempts, tx).update({ tokenHash }, { wrongCodes: wrongCodes + 1 });
  }

  async delete(tx: Transaction, tokenHash: Buffer): Promise<void> {
    await onTransaction(this.attempts, tx).delete({ tokenHash });
  }

  async deleteOfUser(tx: Transaction, userId: string): Promise<void> {
    await onTransaction(this.attempts, tx).delete({ userId });
  }

  async deleteEnded(now: Date): Promise<void> {
    await this.attempts.delete({ expiresAt: LessThanOrEqual(now) });
  }
}
