import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { forgottenPasswordsOfNetwork } from '../account-limits.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { Client } from '../sessions/client.js';
import { UsersRepository } from '../users.repository.js';
import { PasswordResetMailsService } from './password-reset-mails.service.js';

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
    private readonly mails: PasswordResetMailsService,
    private readonly limiter: RateLimiterService,
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
  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }

  private async send(email: string): Promise<void> {
    const known = await this.users.findByEmail(email);
    if (!known || !(await this.mails.mayMail(email))) return;
    await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, known.id);
      if (user?.email === email) await this.mails.send(tx, user);
    });
  }
}
