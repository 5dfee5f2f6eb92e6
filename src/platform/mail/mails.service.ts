import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Clock, newId, within } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Transaction } from '../database/database.service.js';
import { LogService } from '../observability/log.service.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { NewMail, QueuedMail } from './mail.js';
import { MailAttemptsService, type SealedMail } from './mail-attempts.service.js';
import { GIVE_UP_AFTER_MS } from './mail-retries.js';
import { SEND_TIMEOUT_MS } from './mail-transport.service.js';
import { MailsRepository } from './mails.repository.js';
import { mailPlace } from './secret-places.js';

/** Time after which the job takes over a mail whose process died before the first attempt. */
const QUEUE_LEASE_MS = 20_000;
const ATTEMPT_LEASE_MS = 2 * SEND_TIMEOUT_MS;
/** Maximum time that a response waits for the mail server. */
const ANSWER_WITHIN_MS = 5_000;

@Injectable()
export class MailsService implements OnApplicationShutdown {
  private readonly running = new Set<Promise<boolean>>();

  constructor(
    private readonly repository: MailsRepository,
    private readonly attempts: MailAttemptsService,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  /** Writes the mail in the transaction of the change that causes it. */
  queue(tx: Transaction, { tenantId, kind, to, content, expiresAtMs }: NewMail): Promise<QueuedMail> {
    const nowMs = this.clock.nowMs();
    const id = newId('mail', nowMs);
    const sealed: SealedMail = { to, content };
    const mail = {
      tenantId,
      id,
      kind,
      sealedContent: this.secrets.seal(JSON.stringify(sealed), mailPlace({ tenantId, id })),
      createdAt: new Date(nowMs),
      giveUpAt: new Date(Math.min(nowMs + GIVE_UP_AFTER_MS, expiresAtMs ?? Infinity)),
    };
    return this.repository.add(tx, mail, new Date(nowMs + QUEUE_LEASE_MS));
  }

  /** Deletes the mails of a user, invite or project, including unsent ones. */
  forget(tx: Transaction, tenantId: string): Promise<void> {
    return this.repository.deleteOfTenant(tx, tenantId);
  }

  /**
   * Makes the first attempt, after the commit. Returns whether the mail server accepted the mail within a few seconds
   * (without a mail server: true). It never throws; a job retries failed mails.
   */
  attempt(mail: QueuedMail): Promise<boolean> {
    const attempt = this.firstAttempt(mail);
    this.running.add(attempt);
    void attempt.finally(() => this.running.delete(attempt));
    return within(attempt, ANSWER_WITHIN_MS, false);
  }

  /**
   * Records mails in progress before the database is closed. Attempts that end later are repeated by another process.
   */
  async onApplicationShutdown(): Promise<void> {
    await within(this.waitForPending(), ANSWER_WITHIN_MS, undefined);
  }

  /** Resolves when every first attempt started before the call has ended. */
  async waitForPending(): Promise<void> {
    await Promise.all(this.running);
  }

  private async firstAttempt(queued: QueuedMail): Promise<boolean> {
    try {
      const nowMs = this.clock.nowMs();
      const terms = { now: new Date(nowMs), againAt: new Date(nowMs + ATTEMPT_LEASE_MS) };
      const mail = await this.repository.hold(queued, terms);
      if (mail === null) return false;
      return await this.attempts.attempt(mail, { record: (write) => write(mail.leaseUntil) });
    } catch (error) {
      const message = 'the first attempt to send a mail was not recorded; it is repeated when its lease ends';
      this.log.error({ err: error, mailId: queued.id }, message);
      return false;
    }
  }
}
