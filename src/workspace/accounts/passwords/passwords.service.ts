import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/audit/project-write.js';
import { SignInPolicy } from '../../../platform/auth/editions/sign-in-policy.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { AccountChangesService } from '../account-changes.service.js';
import { AccountLinksService } from '../links/account-links.service.js';
import type { LinkProblem } from '../links/link.policy.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInService, type SignInStep } from '../sign-in/sign-in.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { PasswordCheckService } from './password-check.service.js';
import { passwordChangedMail } from './password-changed.mail.js';

export interface PasswordChange {
  currentPassword: string;
  /** Normalised and acceptable. */
  password: string;
}

type PasswordReplacement = {
  /** The password is already hashed, because hashing takes too long for a transaction. */
  passwordHash: string;
} & (
  | { by: 'operator' | 'link' }
  /** The session that makes the change stays valid. */
  | { by: 'session'; sessionId: string }
);

/** Changes passwords: by the user, by a link in a mail, or by the operator. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly checks: PasswordCheckService,
    private readonly links: AccountLinksService,
    private readonly sessions: SessionsService,
    private readonly changes: AccountChangesService,
    private readonly signIn: SignInService,
    private readonly policy: SignInPolicy,
  ) {}

  /** Ends the user's other sessions. @throws ApiError 400 for a wrong current password, 429, 503 */
  async change(
    { userId, sessionId }: SessionPrincipal,
    { currentPassword, password }: PasswordChange,
    client: Client,
  ): Promise<void> {
    const proof = { password: currentPassword, param: 'current_password' };
    const proven = await this.checks.reauthenticate(userId, proof, client);
    const passwordHash = await this.checks.hash(password);
    await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      // Another request has changed it in the meantime.
      if (user?.passwordHash !== proven.passwordHash) {
        throw ApiError.parameter('current_password', 'current_password is wrong.');
      }
      await this.replace(tx, user, { passwordHash, by: 'session', sessionId });
    });
  }

  /** Returns why a reset link does not work, or null if it does; does not use it up. */
  resetLinkProblem(token: string): Promise<LinkProblem | null> {
    return this.links.problemOf(token, 'reset_password');
  }

  /** `password` is normalised and acceptable. @throws ApiError 400 `token_invalid`, 403 `sso_required`, 503 */
  async resetByLink(token: string, password: string, client: Client): Promise<SignInStep> {
    // Checked first, so that guessed tokens cost no hash.
    await this.links.assertOpen(token, 'reset_password');
    const passwordHash = await this.checks.hash(password);
    return this.database.transaction(async (tx) => {
      const { user } = await this.links.use(tx, token, 'reset_password');
      await this.policy.assertPasswordAllowed(user.email, tx);
      await this.replace(tx, user, { passwordHash, by: 'link' });
      return this.signIn.completeFirstStep(tx, user, 'reset', client);
    });
  }

  /**
   * Returns how many sessions ended. `password` is normalised and acceptable.
   * @throws ApiError 404 if the address has no account
   */
  async resetByOperator(email: string, password: string): Promise<number> {
    const passwordHash = await this.checks.hash(password);
    return this.database.transaction(async (tx) => {
      const user = await this.users.findByEmail(email, tx);
      if (!user) throw new ApiError('missing', 'This email address has no account.');
      return this.replace(tx, user, { passwordHash, by: 'operator' });
    });
  }

  /**
   * Ends sessions, grants of OAuth clients, reset links and a pending change of address, resets failed sign-ins, and
   * adds a row to the audit log of each project. Returns how many sessions ended.
   */
  private async replace(tx: Transaction, user: User, replacement: PasswordReplacement): Promise<number> {
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
