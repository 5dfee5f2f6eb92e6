import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../../platform/auth/sign-in-policy.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { mailAfterCommit } from '../../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { resetMailsOfAddress } from '../account-limits.js';
import { AccountLinksService } from '../links/account-links.service.js';
import type { User } from '../user.entity.js';
import { passwordResetMail } from './password-reset.mail.js';

@Injectable()
export class PasswordResetMailsService {
  constructor(
    private readonly links: AccountLinksService,
    private readonly mails: MailsService,
    private readonly limiter: RateLimiterService,
    private readonly policy: SignInPolicy,
  ) {}

  /** Counts one mail. Returns false if the address has reached its limit, or its organization forbids passwords. */
  async mayMail(email: string): Promise<boolean> {
    if ((await this.policy.requiringOrganization(email)) !== null) return false;
    return (await this.limiter.hit(resetMailsOfAddress, '', email)).allowed;
  }

  /** `tx` must have locked the account. */
  async send(tx: Transaction, { id: tenantId, email }: User): Promise<void> {
    const { url, expiresAtMs } = await this.links.create(tx, tenantId, 'reset_password', email);
    const content = passwordResetMail(url);
    await mailAfterCommit(this.mails, tx, {
      tenantId,
      kind: 'password_reset',
      to: email,
      content,
      expiresAtMs,
    });
  }
}
