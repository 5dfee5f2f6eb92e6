import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { QueuedMail } from '../../../platform/mail/mail.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { ProjectsService } from '../../projects/projects.service.js';
import type { Invite } from './invite.entity.js';
import { inviteMail } from './invite.mail.js';
import { type Inviter, InvitesRepository } from './invites.repository.js';

const invitesOfProject: RateLimit = { name: 'invites', max: 50, windowMs: 86_400_000 };

export interface InviteSender extends Inviter {
  projectName: string;
}

@Injectable()
export class InviteMailsService {
  constructor(
    private readonly repository: InvitesRepository,
    private readonly projects: ProjectsService,
    private readonly mails: MailsService,
    private readonly limiter: RateLimiterService,
    private readonly config: Config,
  ) {}

  /** Counts an invite. @throws ApiError 403 on the hosted edition without a confirmed address, 429 */
  async assertMaySend(projectId: string, userId: string): Promise<InviteSender> {
    const [inviter, project] = await Promise.all([
      this.repository.findInviter(userId),
      this.projects.get(projectId),
    ]);
    if (!inviter) throw new ApiError('unauthenticated', 'The account no longer exists.');
    if (this.config.edition === 'cloud' && !inviter.emailVerified) {
      throw new ApiError('forbidden', 'Confirm your email address before you invite people.');
    }
    const { allowed, resetsAt } = await this.limiter.hit(invitesOfProject, projectId, 'sent');
    if (!allowed) {
      const message = `A project sends at most ${invitesOfProject.max} invites a day, repeated ones included.`;
      throw this.limiter.refusal(message, resetsAt);
    }
    return { ...inviter, projectName: project.name };
  }

  /** Unsent earlier mails are dropped, because their links no longer work. */
  async queue(tx: Transaction, invite: Invite, token: string, sender: InviteSender): Promise<QueuedMail> {
    const { id, email, role, expiresAt } = invite;
    await this.forget(tx, id);
    // In the fragment, which browsers never send to a server.
    const url = `${this.config.baseUrl}/invite#token=${token}`;
    const content = inviteMail({ sender, role, url, expiresAt });
    const expiresAtMs = expiresAt.getTime();
    return this.mails.queue(tx, { tenantId: id, kind: 'invite', to: email, content, expiresAtMs });
  }

  async forget(tx: Transaction, inviteId: string): Promise<void> {
    await this.mails.forget(tx, inviteId);
  }

  attempt(mail: QueuedMail): Promise<boolean> {
    return this.mails.attempt(mail);
  }
}
