import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Lease } from '../jobs/leased-work.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { MailContent } from './mail.js';
import { MailOutcomeRecorder } from './mail-outcome.recorder.js';
import { pauseAfter } from './mail-retries.js';
import { MailTransportService } from './mail-transport.service.js';
import type { ClaimedMail, MailResult } from './mails.repository.js';
import { mailPlace } from './secret-places.js';
import type { SendFailure } from './smtp-failure.js';

/** The sealed part of a mail. */
export interface SealedMail {
  to: string;
  content: MailContent;
}

/** Sends a leased mail once and records the outcome. */
@Injectable()
export class MailAttemptsService {
  constructor(
    private readonly outcomes: MailOutcomeRecorder,
    private readonly transport: MailTransportService,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns whether the mail was sent. @throws Error if the outcome cannot be recorded */
  async make(mail: ClaimedMail, lease: Lease): Promise<boolean> {
    const result = await this.resultOf(mail);
    await this.outcomes.record(mail, lease, result);
    return result.status === 'sent';
  }

  private async resultOf(mail: ClaimedMail): Promise<MailResult> {
    const giveUpAtMs = mail.giveUpAt.getTime();
    if (this.clock.nowMs() >= giveUpAtMs) {
      return { status: 'failed', error: 'The mail could not be sent in time.' };
    }
    const failure = await this.send(mail);
    const nowMs = this.clock.nowMs();
    if (failure === null) return { status: 'sent', at: new Date(nowMs) };
    const { permanent, error } = failure;
    const dueAtMs = nowMs + pauseAfter(mail.attempts + 1);
    if (permanent || dueAtMs >= giveUpAtMs) return { status: 'failed', error };
    return { status: 'pending', dueAt: new Date(dueAtMs), error };
  }

  private async send(mail: ClaimedMail): Promise<SendFailure | null> {
    const opened = this.opened(mail);
    return opened === null
      ? { permanent: false, error: 'The content cannot be decrypted with the keys of this server.' }
      : this.transport.send({ ...mail, ...opened });
  }

  /** Returns null while the key that sealed it is missing. */
  private opened(mail: ClaimedMail): SealedMail | null {
    try {
      return JSON.parse(this.secrets.open(mail.sealedContent, mailPlace(mail))) as SealedMail;
    } catch {
      return null;
    }
  }
}
