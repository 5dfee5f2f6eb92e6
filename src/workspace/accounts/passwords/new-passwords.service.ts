import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/audit/project-write.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { AccountChangesService } from '../account-changes.service.js';
import { AccountLinksService } from '../links/account-links.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { passwordChangedMail } from './password-changed.mail.js';
import { PasswordCheckService } from './password-check.service.js';

export type PasswordReplacement = {
  /** The password is already hashed, because hashing takes too long for a transaction. */
  passwordHash: string;
} & (
  | { by: 'operator' | 'link' }
  /** The session that makes the change stays valid. */
  | { by: 'session'; sessionId: string }
);

/** The steps of every password change: by the user, a link or the operator. */
@Injectable()
export class NewPasswordsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly links: AccountLinksService,
    private readonly sessions: SessionsService,
    private readonly changes: AccountChangesService,
    private readonly checks: PasswordCheckService,
  ) {}

  /** @throws ApiError 503 */
  hash(password: string): Promise<string> {
    return this.checks.hash(password);
  }

  /**
   * Ends sessions, grants of OAuth clients, reset links and a pending change of address, resets failed sign-ins, and
   * adds a row to the audit log of each project. Returns how many sessions ended.
   */
  async replace(tx: Transaction, user: User, replacement: PasswordReplacement): Promise<number> {
    const { passwordHash, by } = replacement;
    // A link in a mail also proves the address.
    const isProven = by === 'link';
    await this.users.update(user.id, isProven ? { passwordHash, emailVerified: true } : { passwordHash }, tx);
    await this.links.endOpen(tx, user.id, ['reset_password', 'change_email']);
    if (isProven) await this.links.endOpen(tx, user.id, ['verify_email']);
    await this.checks.forgetFailures(tx, user.email);
    const action = by === 'session' ? 'password_changed' : 'password_reset';
    const actor: Actor | undefined = by === 'operator' ? undefined : { type: 'user', identifier: user.email };
    await this.changes.audit(tx, user, action, actor);
    await this.changes.disconnectClients(tx, user, 'password_changed', actor);
    if (by !== 'operator') {
      await this.changes.notify(tx, user, 'password_changed', passwordChangedMail);
    }
    return by === 'session'
      ? this.sessions.endOthers(tx, user.id, replacement.sessionId)
      : this.sessions.endAll(tx, user.id);
  }
}
