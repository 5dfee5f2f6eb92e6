import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { AccountChangesService } from './account-changes.service.js';
import { AccountLinksService } from './links/account-links.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { TwoFactorStateService } from './two-factor/two-factor-state.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Accounts whose address an identity provider has verified. */
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
   * Confirms the address of a locked account. If it was unconfirmed, an attacker may have created the account and be
   * waiting for the owner of the address to use it. So all existing access is revoked: password, second factor,
   * sessions, authorized clients, and links, one of which could change the address.
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
