import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { AccountChangesService } from './account-changes.service.js';
import { AccountLinksService } from './links/account-links.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { TwoFactorStateService } from './two-factor/two-factor-state.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Accounts whose address an identity provider proves to be of the person. */
@Injectable()
export class AccountClaimsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly twoFactor: TwoFactorStateService,
    private readonly links: AccountLinksService,
    private readonly changes: AccountChangesService,
  ) {}

  /**
   * Confirms the address of an account that was locked. If it was not confirmed before, another person may have made
   * the account and wait for the owner of the address to use it. So every way in that they may have ends: password,
   * second factor, sessions, clients that they let in, and links, one of which could change the address.
   */
  async confirm(tx: Transaction, user: User): Promise<void> {
    if (user.emailVerified) return;
    await this.users.update(user.id, { emailVerified: true, passwordHash: null }, tx);
    await this.twoFactor.turnOff(tx, user.id);
    await this.links.endOpen(tx, user.id, ['reset_password', 'change_email', 'verify_email']);
    await this.changes.disconnectClients(tx, user, 'email_confirmed');
    await this.sessions.endAll(tx, user.id);
  }
}
