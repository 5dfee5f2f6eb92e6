import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Accounts of people whom an identity provider provisions. For the enterprise edition. */
@Injectable()
export class ScimAccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Locks the account until `tx` ends. */
  lock(tx: Transaction, userId: string): Promise<User | null> {
    return this.users.lock(tx, userId);
  }

  /** Like `lock`; `email` is normalised. */
  async lockByEmail(tx: Transaction, email: string): Promise<User | null> {
    const found = await this.users.findByEmail(email, tx);
    return found && this.users.lock(tx, found.id);
  }

  /** Without a password and without a project. Returns the account's id. @throws a unique violation for a used address */
  async create(tx: Transaction, { email, name }: Pick<User, 'email' | 'name'>): Promise<string> {
    const nowMs = this.clock.nowMs();
    const id = newId('user', nowMs);
    await this.users.insert(tx, {
      id,
      email,
      name,
      passwordHash: null,
      emailVerified: true,
      alertEmails: true,
      createdAt: new Date(nowMs),
      origin: 'scim',
    });
    return id;
  }

  /** Nobody had confirmed the address: whoever made the account may be somebody else, whose access to it ends. */
  async confirm(tx: Transaction, user: User): Promise<void> {
    if (user.emailVerified) return;
    await this.sessions.endAll(tx, user.id);
    await this.users.update(user.id, { emailVerified: true, passwordHash: null }, tx);
  }

  async update(tx: Transaction, userId: string, changes: { name?: string; email?: string }): Promise<void> {
    await this.users.update(userId, changes, tx);
  }

  async isFree(tx: Transaction, email: string): Promise<boolean> {
    return (await this.users.findByEmail(email, tx)) === null;
  }

  /** Ends every session of a person. */
  async endSessions(tx: Transaction, userId: string): Promise<void> {
    await this.sessions.endAll(tx, userId);
  }
}
