import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { AccountChangesService } from './account-changes.service.js';
import { AccountLinksService } from './links/account-links.service.js';
import type { Client } from './sessions/client.js';
import { SessionsService, type SsoOrigin } from './sessions/sessions.service.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Accounts authenticated or provisioned by an identity provider. For the enterprise edition. */
@Injectable()
export class ManagedAccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly twoFactor: TwoFactorService,
    private readonly links: AccountLinksService,
    private readonly changes: AccountChangesService,
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

  /**
   * Confirms the address of a locked account. If it was unconfirmed, an attacker may have created the account and be
   * waiting for the owner of the address to use it. So all existing access is revoked: password, second factor,
   * sessions, authorized clients, and links, one of which could change the address.
   */
  async confirmEmail(tx: Transaction, user: User): Promise<void> {
    if (user.emailVerified) return;
    await this.users.update(user.id, { emailVerified: true, passwordHash: null }, tx);
    await this.twoFactor.turnOff(tx, user.id);
    await this.links.endOpen(tx, user.id, ['reset_password', 'change_email', 'verify_email']);
    await this.changes.disconnectClients(tx, user, 'email_confirmed');
    await this.sessions.endAll(tx, user.id);
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
  endSessionsOfConnection(tx: Transaction, connectionId: string): Promise<number> {
    return this.sessions.endOfConnection(tx, connectionId);
  }
}
