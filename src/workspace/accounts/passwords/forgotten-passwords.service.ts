import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../../platform/auth/editions/sign-in-policy.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import { mailAfterCommit } from '../../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { forgottenPasswordsOfNetwork, resetMailsOfAddress } from '../account-limits.js';
import { AccountLinksService } from '../links/account-links.service.js';
import type { Client } from '../sessions/client.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { passwordResetMail } from './password-reset.mail.js';

/** Maximum number of pool connections used at once. */
const MAX_AT_ONCE = 2;

/**
 * Requests for reset links. The work happens after the response, so that neither content nor timing reveals whether an
 * account exists.
 */
@Injectable()
export class ForgottenPasswordsService implements BeforeApplicationShutdown {
  private readonly limit = new ConcurrencyLimit(MAX_AT_ONCE);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly links: AccountLinksService,
    private readonly mails: MailsService,
    private readonly limiter: RateLimiterService,
    private readonly policy: SignInPolicy,
    private readonly log: LogService,
  ) {}

  /** Does the same work for known and unknown addresses. @throws ApiError 429 */
  async request(email: string, client: Client): Promise<void> {
    await this.limiter.count([forgottenPasswordsOfNetwork, clientNetwork(client.ip)]);
    const work = this.limit
      .run(() => this.send(email))
      .catch((error: unknown) => this.log.error({ err: error }, 'a reset link was not made'));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  /** Resolves when everything requested before the call is done. */
  async waitForPending(): Promise<void> {
    await Promise.all(this.running);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waitForPending();
  }

  private async send(email: string): Promise<void> {
    const known = await this.users.findByEmail(email);
    if (!known || !(await this.mayMail(email))) return;
    await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, known.id);
      if (user?.email === email) await this.mailLink(tx, user);
    });
  }

  /** Counts one mail. Returns false if the address has reached its limit, or its organization forbids passwords. */
  private async mayMail(email: string): Promise<boolean> {
    if ((await this.policy.requiringOrganization(email)) !== null) return false;
    return (await this.limiter.hit(resetMailsOfAddress, '', email)).allowed;
  }

  private async mailLink(tx: Transaction, { id: tenantId, email }: User): Promise<void> {
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
