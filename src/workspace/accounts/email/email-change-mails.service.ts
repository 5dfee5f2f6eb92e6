import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { mailAfterCommit } from '../../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import { AccountChangesService } from '../account-changes.service.js';
import { AccountLinksService } from '../links/account-links.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { emailChangeNoticeMail } from './email-change-notice.mail.js';
import { emailChangeMail } from './email-change.mail.js';

@Injectable()
export class EmailChangeMailsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly links: AccountLinksService,
    private readonly mails: MailsService,
    private readonly changes: AccountChangesService,
  ) {}

  /** Sends a link to the new address and a notice to the old one. `tx` must have locked the account. */
  async send(tx: Transaction, user: User, email: string): Promise<void> {
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
