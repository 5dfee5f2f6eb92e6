import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { AccountClaimsService } from './account-claims.service.js';
import type { Client } from './sessions/client.js';
import { SessionsService, type SsoOrigin } from './sessions/sessions.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Accounts authenticated or provisioned by an identity provider. For the enterprise edition. */
@Injectable()
export class ManagedAccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly claims: AccountClaimsService,
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

  async isFree(tx: Transaction, email: string): Promise<boolean> {
    return (await this.users.findByEmail(email, tx)) === null;
  }

  /**
   * Creates an account without a password or a project. Returns its id.
   * @throws a unique violation if the address is in use
   */
  async create(
    tx: Transaction,
    { email, name, origin }: Pick<User, 'email' | 'name' | 'origin'>,
  ): Promise<string> {
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
      origin,
    });
    return id;
  }

  /** Confirms the address of a locked account: see `AccountClaimsService`. */
  confirm(tx: Transaction, user: User): Promise<void> {
    return this.claims.confirm(tx, user);
  }

  async update(tx: Transaction, userId: string, changes: { name?: string; email?: string }): Promise<void> {
    await this.users.update(userId, changes, tx);
  }

  /** Returns the token of a session started by an identity provider; no two-factor code is required. */
  startSession(tx: Transaction, userId: string, client: Client, origin: SsoOrigin): Promise<string> {
    return this.sessions.start(tx, userId, 'sso', client, origin);
  }

  /** Ends every session of a user. */
  async endSessions(tx: Transaction, userId: string): Promise<void> {
    await this.sessions.endAll(tx, userId);
  }

  /** Ends the sessions started through a connection. Returns their number. */
  endSessionsOf(tx: Transaction, connectionId: string): Promise<number> {
    return this.sessions.endOfConnection(tx, connectionId);
  }
}
