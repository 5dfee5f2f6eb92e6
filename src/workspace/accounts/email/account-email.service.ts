import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../../platform/audit/audit-changes.js';
import { SignInPolicy } from '../../../platform/auth/editions/sign-in-policy.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { NewMail } from '../../../platform/mail/mail.js';
import { mailAfterCommit } from '../../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { AccountChangesService } from '../account-changes.service.js';
import { confirmationMailsOfUser, emailChangesOfUser } from '../account-limits.js';
import { AccountLinksService } from '../links/account-links.service.js';
import { PasswordCheckService } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { TwoFactorCodesService } from '../two-factor/two-factor-codes.service.js';
import { accountGone, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { emailChangeNoticeMail } from './email-change-notice.mail.js';
import { emailChangeMail } from './email-change.mail.js';
import { emailVerificationMail } from './email-verification.mail.js';

export interface EmailChange {
  /** The new address, normalised. */
  email: string;
  password: string;
  code: string | null;
}

/** Addresses of accounts: their verification, on the hosted edition, and their change. */
@Injectable()
export class AccountEmailService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly links: AccountLinksService,
    private readonly passwords: PasswordCheckService,
    private readonly codes: TwoFactorCodesService,
    private readonly changes: AccountChangesService,
    private readonly policy: SignInPolicy,
    private readonly mails: MailsService,
    private readonly limiter: RateLimiterService,
  ) {}

  /** Mails a link to a new account after the commit of `tx`, which created the account. */
  async requestVerification(tx: Transaction, user: Pick<User, 'id' | 'email'>): Promise<void> {
    await mailAfterCommit(this.mails, tx, await this.createVerificationMail(tx, user));
  }

  /** Returns the confirmed address. @throws ApiError 400 `token_invalid` */
  async verify(token: string): Promise<string> {
    return this.database.transaction(async (tx) => {
      const { user } = await this.links.use(tx, token, 'verify_email');
      await this.users.update(user.id, { emailVerified: true }, tx);
      return user.email;
    });
  }

  /** Sends nothing if the address is confirmed. @throws ApiError 401 if the account is gone, 429, 502 */
  async resendVerification(userId: string): Promise<User> {
    const user = await this.users.find(userId);
    if (!user) throw accountGone();
    if (user.emailVerified) return user;
    await this.limiter.count([confirmationMailsOfUser, userId]);
    const mail = await this.database.transaction(async (tx) => {
      const locked = await this.users.lock(tx, userId);
      if (!locked || locked.emailVerified) return null;
      return this.mails.queue(tx, await this.createVerificationMail(tx, locked));
    });
    if (mail && !(await this.mails.attempt(mail))) {
      throw new ApiError('mail', 'The mail server did not accept the mail. The server will retry.');
    }
    return user;
  }

  /** Nothing changes until the link in the mail is used. @throws ApiError 400, 401 without the code, 403, 429, 503 */
  async requestChange(session: SessionPrincipal, change: EmailChange, client: Client): Promise<void> {
    const { email, password, code } = change;
    const { email: present } = await this.passwords.reauthenticate(session.userId, { password }, client);
    await this.policy.assertPasswordAllowed(present);
    if (email === present) throw ApiError.parameter('email', 'email is already your address.');
    await this.limiter.count([emailChangesOfUser, session.userId]);
    await this.codes.withCodeIfOn(session, code, (tx, user) => this.mailChange(tx, user, email));
  }

  /**
   * Returns the new address. Links in mails to the old one stop working. Refused for users who must sign in with their
   * organization's identity provider: a new address would bypass it.
   * @throws ApiError 400 `token_invalid`; 403 `sso_required`; 409 if another account has taken the address in the
   * meantime
   */
  confirmChange(token: string): Promise<string> {
    return this.database.transaction(
      async (tx) => {
        const { user, link } = await this.links.use(tx, token, 'change_email');
        await this.policy.assertPasswordAllowed(user.email, tx);
        if (await this.users.findByEmail(link.email, tx)) {
          throw ApiError.alreadyExists('email', 'This address already has an account.');
        }
        await this.users.update(user.id, { email: link.email, emailVerified: true }, tx);
        await this.links.endOpen(tx, user.id, ['reset_password', 'verify_email']);
        const actor = { type: 'user' as const, identifier: user.email };
        const changes = auditChanges({ email: user.email }, { email: link.email }, ['email']);
        await this.changes.audit(tx, user, 'email_changed', actor, changes);
        return link.email;
      },
      { retryUniqueViolation: true },
    );
  }

  cancelChange(userId: string): Promise<void> {
    return this.database.transaction((tx) => this.links.endOpen(tx, userId, ['change_email']));
  }

  /** `tx` must have created or locked the account. */
  private async createVerificationMail(
    tx: Transaction,
    { id, email }: Pick<User, 'id' | 'email'>,
  ): Promise<NewMail> {
    const { url, expiresAtMs } = await this.links.create(tx, id, 'verify_email', email);
    const content = emailVerificationMail(url);
    return { tenantId: id, kind: 'email_verification', to: email, content, expiresAtMs };
  }

  /** Sends a link to the new address and a notice to the old one. `tx` must have locked the account. */
  private async mailChange(tx: Transaction, user: User, email: string): Promise<void> {
    const { url, expiresAtMs } = await this.links.create(tx, user.id, 'change_email', email);
    // An address that already has an account gets no mail, and the requester must not learn why.
    if (!(await this.users.findByEmail(email, tx))) {
      const content = emailChangeMail(url);
      const mail = { tenantId: user.id, kind: 'email_change', to: email, content, expiresAtMs };
      await mailAfterCommit(this.mails, tx, mail);
    }
    await this.changes.notify(tx, user, 'email_change_notice', (resetUrl) =>
      emailChangeNoticeMail(email, resetUrl),
    );
  }
}
