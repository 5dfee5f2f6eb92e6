import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import { User } from './user.entity.js';

/** An arbitrary fixed lock key: only one sign-up at a time may check whether it is the first. */
const FIRST_ACCOUNT_LOCK = 746_210_002;

const lockFirstAccount = statement('users.lock_first_account', 'SELECT pg_advisory_xact_lock($1)');

@Injectable()
export class UsersRepository {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async insert(tx: Transaction, user: User): Promise<void> {
    await onTransaction(this.users, tx).insert(user);
  }

  find(userId: string): Promise<User | null> {
    return this.users.findOneBy({ id: userId });
  }

  findByEmail(email: string, tx?: Transaction): Promise<User | null> {
    return onTransaction(this.users, tx).findOneBy({ email });
  }

  /** Until `tx` ends, no other transaction changes or deletes the account, or adds rows that refer to it. */
  lock(tx: Transaction, userId: string): Promise<User | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.users, tx).findOne({ where: { id: userId }, lock });
  }

  async update(userId: string, changes: Partial<User>, tx?: Transaction): Promise<void> {
    await onTransaction(this.users, tx).update({ id: userId }, changes);
  }

  async delete(tx: Transaction, userId: string): Promise<void> {
    await onTransaction(this.users, tx).delete({ id: userId });
  }

  any(tx?: Transaction): Promise<boolean> {
    return onTransaction(this.users, tx).exists();
  }

  /** Waits for other transactions that hold the lock; it is released with `tx`. */
  async lockFirstAccount(tx: Transaction): Promise<void> {
    await tx.query(lockFirstAccount, [FIRST_ACCOUNT_LOCK]);
  }
}
