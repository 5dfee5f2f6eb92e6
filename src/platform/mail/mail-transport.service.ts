import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { within } from '../../../libs/kernel/index.js';
import { Config } from '../config/config.js';
import { settings } from '../config/config.schema.js';
import { isEmail, normalizeEmail } from '../http/bodies/email.js';
import { LogService } from '../observability/log.service.js';
import type { MailContent } from './mail.js';
import { parsedAddress } from './mail-address.js';
import { renderMail } from './mail-template.js';
import { type SendFailure, smtpFailure } from './smtp-failure.js';
import { type SmtpPool, smtpPool } from './smtp-pool.js';

/** Limit for the whole attempt, including the wait for a connection. Shorter than a lease. */
export const SEND_TIMEOUT_MS = 30_000;

/* Callers validate addresses, but a mistake there must not create a header or a second recipient. */
const NO_ADDRESS: SendFailure = { permanent: true, error: 'The recipient is not an email address.' };
const TIMED_OUT: SendFailure = { permanent: false, error: 'The mail server took too long.' };

export interface OutgoingMail {
  tenantId: string;
  id: string;
  kind: string;
  createdAt: Date;
  to: string;
  content: MailContent;
}

/** Sends mails to the mail server, or writes them to the log if there is none. */
@Injectable()
export class MailTransportService implements OnApplicationShutdown {
  private smtp?: Promise<SmtpPool>;

  constructor(
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  /** Must not be called inside a database transaction. Returns null if the mail was sent. */
  async send(mail: OutgoingMail): Promise<SendFailure | null> {
    if (!isEmail(normalizeEmail(mail.to))) return NO_ADDRESS;
    const { smtpUrl } = this.config;
    if (smtpUrl === null) {
      this.writeToLog(mail);
      return null;
    }
    try {
      this.smtp ??= smtpPool(smtpUrl);
      return await within(this.sendBySmtp(await this.smtp, mail), SEND_TIMEOUT_MS, TIMED_OUT);
    } catch (error) {
      return smtpFailure(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.smtp)?.close();
  }

  private async sendBySmtp(smtp: SmtpPool, mail: OutgoingMail): Promise<null> {
    const { mailFrom, mailReplyTo } = this.config;
    const { subject, text, html, headers } = renderMail(mail.content);
    const from = parsedAddress(mailFrom ?? '');
    await smtp.sendMail({
      from,
      // An object is not parsed, so the address cannot become two recipients.
      to: { name: '', address: mail.to },
      replyTo: mailReplyTo === null ? undefined : parsedAddress(mailReplyTo),
      messageId: messageIdOf(mail, from.address),
      date: mail.createdAt,
      subject,
      text,
      html,
      headers,
    });
    return null;
  }

  private writeToLog({ kind, to, content }: OutgoingMail): void {
    const { subject, text } = renderMail(content);
    const message = `a mail is written here because ${settings.smtpUrl.variable} is not set`;
    this.log.info({ kind, to, subject, text }, message);
  }
}

/** The same for each attempt, so that a mailbox can recognise duplicates. */
function messageIdOf({ tenantId, id }: OutgoingMail, from: string): string {
  const hash = createHash('sha256').update(`${tenantId}/${id}`).digest('hex').slice(0, 32);
  return `<${hash}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}
