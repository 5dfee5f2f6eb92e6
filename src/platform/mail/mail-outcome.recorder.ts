import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Lease } from '../jobs/leased-work.js';
import { LogService } from '../observability/log.service.js';
import { type ClaimedMail, type MailResult, MailsRepository } from './mails.repository.js';

const results = { sent: 'sent', pending: 'retry', failed: 'failed' } as const;

/** Records, counts and logs the result of an attempt to send a mail. */
@Injectable()
export class MailOutcomeRecorder {
  private readonly attempts: Counter<'result'>;

  constructor(
    private readonly repository: MailsRepository,
    private readonly log: LogService,
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

  /** @throws Error if it cannot be recorded */
  async record(mail: ClaimedMail, lease: Lease, result: MailResult): Promise<void> {
    this.attempts.inc({ result: results[result.status] });
    if (result.status !== 'sent') this.report(mail, result);
    await lease.record((leaseUntil) => this.repository.finish(mail, leaseUntil, result));
  }

  private report({ id, kind, attempts }: ClaimedMail, result: Exclude<MailResult, { status: 'sent' }>): void {
    const fields = { mailId: id, kind, attempts: attempts + 1, reason: result.error };
    if (result.status === 'pending') this.log.warn(fields, 'a mail could not be sent; it is tried again');
    else this.log.error(fields, 'a mail was given up');
  }
}
