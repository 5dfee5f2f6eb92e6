import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { mailAfterCommit } from '../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { AlertNews } from './alert-mails.policy.js';
import { AlertRecipientsRepository } from './alert-recipients.repository.js';
import { alertMail } from './alert.mail.js';
import { AlertUnsubscribeService } from './alert-unsubscribe.service.js';
import type { ProjectAlert } from './project-alert.entity.js';

@Injectable()
export class AlertMailsService {
  constructor(
    private readonly recipients: AlertRecipientsRepository,
    private readonly unsubscribe: AlertUnsubscribeService,
    private readonly mails: MailsService,
    private readonly config: Config,
  ) {}

  /** Mails each admin and developer who wants alerts; returns false if there are none. */
  async queue(tx: Transaction, alert: ProjectAlert, news: AlertNews): Promise<boolean> {
    const { projectId, cause } = alert;
    const recipients = await this.recipients.of(tx, projectId);
    if (recipients.length === 0) return false;
    const { baseUrl } = this.config;
    for (const { userId, email, projectName } of recipients) {
      const oneClickUnsubscribeUrl = this.unsubscribe.urlFor(userId);
      const content = alertMail({ alert, news, projectName, baseUrl, oneClickUnsubscribeUrl });
      const kind = `alert_${cause}_${news}`;
      await mailAfterCommit(this.mails, tx, { tenantId: projectId, kind, to: email, content });
    }
    return true;
  }
}
