import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { mailAfterCommit } from '../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Permission } from '../../platform/principal/permissions.js';
import { CollaboratorsService } from '../../workspace/members/collaborators.service.js';
import { digestMail } from './digest.mail.js';
import type { Digest } from './digest.entity.js';
import type { DigestText } from './digest-lines.policy.js';
import { DigestUnsubscribeService } from './digest-unsubscribe.service.js';

const USEFUL_MS = 12 * 3_600_000;

/** Required for figures by mail, as in the dashboard. */
export const figurePermissions = [
  'charts_metrics:overview:read',
  'charts_metrics:charts:read',
] as const satisfies Permission[];

export interface DigestRecipient {
  userId: string;
  email: string;
}

@Injectable()
export class DigestMailsService {
  constructor(
    private readonly members: CollaboratorsService,
    private readonly unsubscribe: DigestUnsubscribeService,
    private readonly mails: MailsService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  overviewUrl(projectId: string): string {
    return `${this.config.baseUrl}/projects/${encodeURIComponent(projectId)}`;
  }

  /** Keeps the users who are still members and may read charts. */
  async recipients(projectId: string, userIds: string[]): Promise<DigestRecipient[]> {
    if (userIds.length === 0) return [];
    const members = await this.members.membersWith(projectId, userIds, [...figurePermissions]);
    return members.filter(({ emailVerified }) => emailVerified || this.config.edition !== 'cloud');
  }

  async queue(
    tx: Transaction,
    digest: Digest,
    { text, projectName }: { text: DigestText; projectName: string },
    recipients: DigestRecipient[],
  ): Promise<void> {
    const { projectId, name: digestName } = digest;
    const overviewUrl = this.overviewUrl(projectId);
    const expiresAtMs = this.clock.nowMs() + USEFUL_MS;
    for (const { userId, email } of recipients) {
      const { page, oneClick } = this.unsubscribe.urlsFor(digest, userId);
      const links = { overviewUrl, unsubscribeUrl: page, oneClickUnsubscribeUrl: oneClick };
      const content = digestMail({ text, digestName, projectName, ...links });
      const mail = { tenantId: projectId, kind: 'digest', to: email, content, expiresAtMs };
      await mailAfterCommit(this.mails, tx, mail);
    }
  }
}
