import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { NewMail } from '../../../platform/mail/mail.js';
import { mailAfterCommit } from '../../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { confirmationMailsOfUser } from '../account-limits.js';
import { AccountLinksService } from '../links/account-links.service.js';
import { accountGone, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { emailVerificationMail } from './email-verification.mail.js';

/** Confirms the address of a new account, on the hosted edition. */
@Injectable()
export class EmailVerificationService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly links: AccountLinksService,
    private readonly mails: MailsService,
    private readonly limiter: RateLimiterService,
  ) {}

  /** `tx` must have created or locked the account. */
  private async newMail(tx: Transaction, { id, email }: Pick<User, 'id' | 'email'>): Promise<NewMail> {
    const { url, expiresAtMs } = await this.links.create(tx, id, 'verify_email', email);
    const content = emailVerificationMail(url);
    return { tenantId: id, kind: 'email_verification', to: email, content, expiresAtMs };
  }

  /** Mails a new account after the commit; no response waits for the mail. */
  async mailAfterCommit(tx: Transaction, user: Pick<User, 'id' | 'email'>): Promise<void> {
    await mailAfterCommit(this.mails, tx, await this.newMail(tx, user));
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
  async resend(userId: string): Promise<User> {
    const user = await this.users.find(userId);
    if (!user) throw accountGone();
    if (user.emailVerified) return user;
    await this.limiter.count([confirmationMailsOfUser, userId]);
    const mail = await this.database.transaction(async (tx) => {
      const locked = await this.users.lock(tx, userId);
      return locked && !locked.emailVerified ? this.mails.queue(tx, await this.newMail(tx, locked)) : null;
    });
    if (mail && !(await this.mails.attempt(mail))) {
      throw new ApiError('mail', 'The mail server did not take the mail. It is tried again.');
    }
    return user;
  }
}
