import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { LogService } from '../observability/log.service.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { Lease } from '../jobs/leased-work.js';
import type { MailContent } from './mail.js';
import { MailTransportService } from './mail-transport.service.js';
import { pauseAfter } from './mail-retries.js';
import { type ClaimedMail, type MailResult, MailsRepository } from './mails.repository.js';
import { mailPlace } from './secret-places.js';
import type { SendFailure } from './smtp-failure.js';

/** What is sealed of a mail. */
export interface SealedMail {
  to: string;
  content: MailContent;
}

/** Sends a leased mail once and records the outcome. */
@Injectable()
export class MailAttemptsService {
  constructor(
    private readonly repository: MailsRepository,
    private readonly transport: MailTransportService,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  /** Returns whether the mail was sent. @throws Error if the outcome cannot be recorded */
  async make(mail: ClaimedMail, lease: Lease): Promise<boolean> {
    const result = await this.resultOf(mail);
    await lease.record((leaseUntil) => this.repository.finish(mail, leaseUntil, result));
    if (result.status !== 'sent') this.report(mail, result);
    return result.status === 'sent';
  }

  private async resultOf(mail: ClaimedMail): Promise<MailResult> {
    const startedAt = this.clock.nowMs();
    const giveUpAtMs = mail.giveUpAt.getTime();
    if (startedAt >= giveUpAtMs) return { status: 'failed', error: 'The mail could not be sent in time.' };
    const failure = await this.send(mail);
    const nowMs = this.clock.nowMs();
    if (failure === null) return { status: 'sent', at: new Date(nowMs) };
    const { permanent, error } = failure;
    const dueAtMs = nowMs + pauseAfter(mail.attempts + 1);
    if (permanent || dueAtMs >= giveUpAtMs) return { status: 'failed', error };
    return { status: 'pending', dueAt: new Date(dueAtMs), error };
  }

  private send(mail: ClaimedMail): Promise<SendFailure | null> {
    const { tenantId, id, kind, createdAt, sealedContent } = mail;
    const { to, content } = JSON.parse(this.secrets.open(sealedContent, mailPlace(mail))) as SealedMail;
    return this.transport.send({ tenantId, id, kind, createdAt, to, content });
  }

  private report({ id, kind, attempts }: ClaimedMail, result: Exclude<MailResult, { status: 'sent' }>): void {
    const fields = { mailId: id, kind, attempts: attempts + 1, reason: result.error };
    if (result.status === 'pending') this.log.warn(fields, 'a mail could not be sent; it is tried again');
    else this.log.error(fields, 'a mail was given up');
  }
}
