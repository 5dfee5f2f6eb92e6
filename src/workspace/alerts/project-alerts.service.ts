import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { mailAfterCommit } from '../../platform/mail/mail-after-commit.js';
import { type AlertNews, dueNews } from './alert-mails.policy.js';
import { AlertUnsubscribeService } from './alert-unsubscribe.service.js';
import { alertMail } from './alert.mail.js';
import type { AlertDetails, AlertKey } from './project-alert.js';
import type { ProjectAlert } from './project-alert.entity.js';
import { ProjectAlertsRepository } from './project-alerts.repository.js';

const KEEP_MS = 30 * 24 * 3_600_000;

/** Problems that project members get mails about. Callers know when one starts and ends. */
@Injectable()
export class ProjectAlertsService {
  constructor(
    private readonly repository: ProjectAlertsRepository,
    private readonly unsubscribe: AlertUnsubscribeService,
    private readonly mails: MailsService,
    private readonly config: Config,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Call it when a problem starts. Repeated calls have no effect. */
  async open(tx: Transaction, key: AlertKey, details: AlertDetails): Promise<void> {
    const now = this.now();
    const alert = await this.repository.open(tx, key, details, now);
    if (alert) await this.mail(tx, alert, now);
  }

  /** Like `open`, but a repeated call updates the details for the next mail, which may be due. */
  async openOrRepeat(tx: Transaction, key: AlertKey, details: AlertDetails): Promise<void> {
    const now = this.now();
    const opened = await this.repository.open(tx, key, details, now);
    const alert = opened ?? (await this.repository.update(tx, key, details));
    if (alert) await this.mail(tx, alert, now);
  }

  /** Call it when the problem is over. Has no effect if it was not open. */
  async resolve(tx: Transaction, key: AlertKey): Promise<void> {
    const now = this.now();
    const alert = await this.repository.resolve(tx, key, now);
    if (alert) await this.mail(tx, alert, now);
  }

  /** Ends a problem without a mail, because its subject has been changed or deleted. */
  withdraw(tx: Transaction, key: AlertKey): Promise<void> {
    return this.repository.withdraw(tx, key, this.now());
  }

  /** Mails an event without an end to every admin, whatever their settings for mails are. */
  async announce(tx: Transaction, key: AlertKey, details: AlertDetails): Promise<void> {
    const { projectId, cause } = key;
    const alert = { ...key, details, openedAt: this.now(), resolvedAt: null };
    for (const { email, projectName } of await this.repository.admins(tx, projectId)) {
      const { baseUrl } = this.config;
      const content = alertMail({
        alert,
        news: 'problem',
        projectName,
        baseUrl,
        oneClickUnsubscribeUrl: null,
      });
      await mailAfterCommit(this.mails, tx, {
        tenantId: projectId,
        kind: `alert_${cause}`,
        to: email,
        content,
      });
    }
  }

  /** Number of problems that a project has now. */
  countOpen(projectId: string): Promise<number> {
    return this.repository.countOpen(projectId);
  }

  /** Sends mails delayed by the limit of one a day. */
  async mailDelayed(): Promise<void> {
    const now = this.now();
    await this.repository.prune(new Date(now.getTime() - KEEP_MS));
    const waiting = await this.repository.unreported();
    for (const key of waiting.filter((alert) => dueNews(alert, now) !== null)) {
      await this.database.transaction(async (tx) => {
        const alert = await this.repository.lock(tx, key);
        if (alert) await this.mail(tx, alert, now);
      });
    }
  }

  private async mail(tx: Transaction, alert: ProjectAlert, now: Date): Promise<void> {
    const news = dueNews(alert, now);
    if (news === null) return;
    const isSent = await this.queueMails(tx, alert, news);
    await this.repository.mailed(tx, alert, news, isSent, now);
  }

  /** Mails each admin and developer who wants alerts; returns false if there are none. */
  private async queueMails(tx: Transaction, alert: ProjectAlert, news: AlertNews): Promise<boolean> {
    const { projectId, cause } = alert;
    const { baseUrl, edition } = this.config;
    const recipients = await this.repository.recipients(tx, projectId, { onlyVerified: edition === 'cloud' });
    if (recipients.length === 0) return false;
    for (const { userId, email, projectName } of recipients) {
      const oneClickUnsubscribeUrl = this.unsubscribe.urlFor(userId);
      const content = alertMail({ alert, news, projectName, baseUrl, oneClickUnsubscribeUrl });
      const kind = `alert_${cause}_${news}`;
      await mailAfterCommit(this.mails, tx, { tenantId: projectId, kind, to: email, content });
    }
    return true;
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
