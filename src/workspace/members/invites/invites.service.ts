import { Injectable } from '@nestjs/common';
import { newId, newToken } from '../../../../libs/kernel/index.js';
import { auditChanges } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { ProjectRole } from '../../../platform/principal/permissions.js';
import { CollaboratorsRepository } from '../collaborators.repository.js';
import type { Invite } from './invite.entity.js';
import { InviteMailsService } from './invite-mails.service.js';
import { InvitesRepository } from './invites.repository.js';

const LINK_LIFETIME_MS = 7 * 86_400_000;

export interface NewInvite {
  /** Normalised. */
  email: string;
  role: ProjectRole;
}

export interface SentInvite {
  invite: Invite;
  /** False if the mail server has not accepted the mail yet. */
  emailSent: boolean;
}

type NewLink = Pick<Invite, 'tokenHash' | 'lastSentAt' | 'expiresAt'>;

@Injectable()
export class InvitesService {
  constructor(
    private readonly repository: InvitesRepository,
    private readonly members: CollaboratorsRepository,
    private readonly mails: InviteMailsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Up to `limit + 1` invites, oldest first. @throws ApiError 400 if `page.after` is not an invite of the project */
  page(projectId: string, page: PageRequest): Promise<Invite[]> {
    return this.repository.page(projectId, page);
  }

  /**
   * An open invite for the same address gets the new role and a new link.
   * @throws ApiError 409 for a member, 403 without a confirmed address on the hosted edition, 429
   */
  async create(write: ProjectWrite, invitedBy: string, { email, role }: NewInvite): Promise<SentInvite> {
    const { projectId } = write;
    if (await this.members.findByEmail(projectId, email)) {
      throw ApiError.alreadyExists('email', 'This person is already a member of the project.');
    }
    return this.send(write, invitedBy, async (tx, link) => {
      const open = await this.repository.lock(tx, { projectId, email });
      const { id, createdAt } = open ?? { id: newId('invite', tx.nowMs()), createdAt: link.lastSentAt };
      const action = open ? 'updated' : 'created';
      const changes = open && auditChanges({ role: open.role }, { role }, ['role']);
      await tx.audit({ action, target: 'invite', targetId: id, data: { email, role, ...changes } });
      return { projectId, id, email, role, invitedBy, createdAt, ...link };
    });
  }

  /** Replaces the link, even of an expired invite. @throws ApiError 404, 403 as for `create`, 429 */
  async resend(write: ProjectWrite, sender: string, id: string): Promise<SentInvite> {
    const { projectId } = write;
    // Checked before the limit counts it.
    if (!(await this.repository.find(projectId, id))) throw ApiError.missing('invite', id);
    return this.send(write, sender, async (tx, link) => {
      const invite = await this.repository.lock(tx, { projectId, id });
      if (!invite) throw ApiError.missing('invite', id);
      await tx.audit({ action: 'resent', target: 'invite', targetId: id, data: { email: invite.email } });
      return { ...invite, ...link };
    });
  }

  /** Its link stops working immediately. Returns the time (epoch ms). @throws ApiError 404 */
  async revoke(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const invite = await this.repository.lock(tx, { projectId, id });
      if (!invite) throw ApiError.missing('invite', id);
      await this.repository.delete(tx, projectId, id);
      await this.mails.forget(tx, id);
      await tx.audit({ action: 'revoked', target: 'invite', targetId: id, data: { email: invite.email } });
      return tx.nowMs();
    });
  }

  private async send(
    write: ProjectWrite,
    sender: string,
    change: (tx: WriteTransaction, link: NewLink) => Promise<Invite>,
  ): Promise<SentInvite> {
    const inviter = await this.mails.assertMaySend(write.projectId, sender);
    const work = async (tx: WriteTransaction) => {
      const token = newToken();
      const nowMs = tx.nowMs();
      const invite = await change(tx, {
        tokenHash: credentialHash(token),
        lastSentAt: new Date(nowMs),
        expiresAt: new Date(nowMs + LINK_LIFETIME_MS),
      });
      await this.repository.save(tx, invite);
      return { invite, mail: await this.mails.queue(tx, invite, token, inviter) };
    };
    const { invite, mail } = await this.writes.run(write, work, { retryUniqueViolation: true });
    return { invite, emailSent: await this.mails.attempt(mail) };
  }
}
