import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { Client } from './sessions/client.js';
import { SessionsService, type SsoOrigin } from './sessions/sessions.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Accounts of people whom an identity provider vouches for. For the enterprise edition. */
@Injectable()
export class SsoAccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Locks the account until `tx` ends. `email` is normalised. */
  async lock(tx: Transaction, email: string): Promise<User | null> {
    const found = await this.users.findByEmail(email, tx);
    return found && this.users.lock(tx, found.id);
  }

  /** Without a password and without a project. Returns the account's id. @throws a unique violation for a used address */
  async create(tx: Transaction, account: { email: string; name: string | null }): Promise<string> {
    const nowMs = this.clock.nowMs();
    const id = newId('user', nowMs);
    await this.users.insert(tx, {
      id,
      ...account,
      passwordHash: null,
      emailVerified: true,
      alertEmails: true,
      createdAt: new Date(nowMs),
      origin: 'sso',
    });
    return id;
  }

  /**
   * What the identity provider says about an account that was locked. An address that nobody had confirmed may be in
   * the account of somebody else, who waits for its owner to sign in: their password and sessions end.
   */
  async confirm(tx: Transaction, user: User, name: string | null): Promise<void> {
    if (!user.emailVerified) {
      await this.sessions.endAll(tx, user.id);
      await this.users.update(user.id, { emailVerified: true, passwordHash: null }, tx);
    }
    const followsProvider = user.origin === 'sso' && name !== null && name !== user.name;
    if (followsProvider) await this.users.update(user.id, { name }, tx);
  }

  /** Returns the token of a session that began at an identity provider: no code is asked for. */
  startSession(tx: Transaction, userId: string, client: Client, origin: SsoOrigin): Promise<string> {
    return this.sessions.start(tx, userId, 'sso', client, origin);
  }

  /** Ends the sessions that a connection opened. Returns their number. */
  endSessionsOf(tx: Transaction, connectionId: string): Promise<number> {
    return this.sessions.endOfConnection(tx, connectionId);
  }
}
