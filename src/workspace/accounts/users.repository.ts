import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { User } from './user.entity.js';

/** Any fixed number: the key of the lock that lets one sign-up at a time ask whether it is the first. */
const FIRST_ACCOUNT_LOCK = 746_210_002;

const lockFirstAccount = statement('users.lock_first_account', 'SELECT pg_advisory_xact_lock($1)');
const anyUser = statement('users.any', 'SELECT EXISTS (SELECT 1 FROM users) AS "exists"');

@Injectable()
export class UsersRepository {
  async insert(executor: Executor, user: User): Promise<void> {
    await executor.manager.getRepository(User).insert(user);
  }

  find(executor: Executor, userId: string): Promise<User | null> {
    return executor.manager.getRepository(User).findOneBy({ id: userId });
  }

  findByEmail(executor: Executor, email: string): Promise<User | null> {
    return executor.manager.getRepository(User).findOneBy({ email });
  }

  async update(executor: Executor, userId: string, changes: Partial<User>): Promise<void> {
    await executor.manager.getRepository(User).update({ id: userId }, changes);
  }

  async any(executor: Executor): Promise<boolean> {
    return (await executor.query<{ exists: boolean }>(anyUser, []))[0]?.exists ?? false;
  }

  /** Waits for other transactions that hold the lock; it ends with `tx`. */
  async lockFirstAccount(tx: Transaction): Promise<void> {
    await tx.query(lockFirstAccount, [FIRST_ACCOUNT_LOCK]);
  }
}
