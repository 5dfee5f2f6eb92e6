import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Lease } from '../jobs/leased-work.js';
import { LogService } from '../observability/log.service.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { MailContent } from './mail.js';
import { pauseAfter } from './mail-retries.js';
import { MailTransportService } from './mail-transport.service.js';
import { type ClaimedMail, type MailResult, MailsRepository } from './mails.repository.js';
import { mailPlace } from './secret-places.js';
import type { SendFailure } from './smtp-failure.js';

/** The sealed part of a mail. */
export interface SealedMail {
  to: string;
  content: MailContent;
}

const results = { sent: 'sent', pending: 'retry', failed: 'failed' } as const;

/** Sends a leased mail once, and records, counts and logs the result. */
@Injectable()
export class MailAttemptsService {
  private readonly attempts: Counter<'result'>;

  constructor(
    private readonly repository: MailsRepository,
    private readonly transport: MailTransportService,
    private readonly secrets: SecretsService,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
    registry: Registry,
  ) {
    this.attempts = new Counter({
      name: 'tenure_mail_attempts_total',
      help: 'Attempts to send a mail by outcome: sent, to be retried, given up.',
      labelNames: ['result'],
      registers: [registry],
    });
    // Counters start at 0, so that the first failure is an increase.
    for (const result of Object.values(results)) this.attempts.inc({ result }, 0);
  }

  /** Returns whether the mail was sent. @throws Error if the result cannot be recorded */
  async attempt(mail: ClaimedMail, lease: Lease): Promise<boolean> {
    const result = await this.send(mail);
    this.attempts.inc({ result: results[result.status] });
    if (result.status !== 'sent') this.logFailure(mail, result);
    await lease.record((leaseUntil) => this.repository.finish(mail, leaseUntil, result));
    return result.status === 'sent';
  }

  private logFailure(
    { id, kind, attempts }: ClaimedMail,
    result: Exclude<MailResult, { status: 'sent' }>,
  ): void {
    const fields = { mailId: id, kind, attempts: attempts + 1, reason: result.error };
    if (result.status === 'pending') this.log.warn(fields, 'a mail could not be sent; it is tried again');
    else this.log.error(fields, 'a mail was given up');
  }

  private async send(mail: ClaimedMail): Promise<MailResult> {
    const giveUpAtMs = mail.giveUpAt.getTime();
    if (this.clock.nowMs() >= giveUpAtMs) {
      return { status: 'failed', error: 'The mail could not be sent in time.' };
    }
    const failure = await this.transmit(mail);
    const nowMs = this.clock.nowMs();
    if (failure === null) return { status: 'sent', at: new Date(nowMs) };
    const { permanent, error } = failure;
    const dueAtMs = nowMs + pauseAfter(mail.attempts + 1);
    if (permanent || dueAtMs >= giveUpAtMs) return { status: 'failed', error };
    return { status: 'pending', dueAt: new Date(dueAtMs), error };
  }

  private async transmit(mail: ClaimedMail): Promise<SendFailure | null> {
    const opened = this.openContent(mail);
    return opened === null
      ? { permanent: false, error: 'The content cannot be decrypted with the keys of this server.' }
      : this.transport.send({ ...mail, ...opened });
  }

  /** Returns null while the key that sealed it is missing. */
  private openContent(mail: ClaimedMail): SealedMail | null {
    try {
      return JSON.parse(this.secrets.open(mail.sealedContent, mailPlace(mail))) as SealedMail;
    } catch {
      return null;
    }
  }
}
