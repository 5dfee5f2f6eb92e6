import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { CollaboratorsRepository } from '../collaborators.repository.js';
import { InvitesRepository, type OpenInvite } from './invites.repository.js';

export type { OpenInvite };

/** Operations for holders of an invite link. */
@Injectable()
export class InviteLinksService {
  constructor(
    private readonly repository: InvitesRepository,
    private readonly members: CollaboratorsRepository,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns null for a token that is unknown, used, expired, revoked or replaced. */
  find(token: string): Promise<OpenInvite | null> {
    return this.repository.findOpen(credentialHash(token), new Date(this.clock.nowMs()));
  }

  /**
   * Uses the link up and makes the user, whose address must be the invited one, a member; a member keeps their role.
   * Returns false if the link has stopped working in the meantime.
   */
  async accept(tx: Transaction, invite: OpenInvite, userId: string): Promise<boolean> {
    const { projectId, id, email, role } = invite;
    const acceptedAt = new Date(this.clock.nowMs());
    if (!(await this.repository.useUp(tx, invite, acceptedAt))) return false;
    await this.members.add(tx, { projectId, userId, role, acceptedAt });
    const actor = { type: 'user', identifier: email } as const;
    const write = this.writes.within(tx, { projectId, actor, request: null });
    await write.audit({ action: 'accepted', target: 'invite', targetId: id, data: { user_id: userId } });
    return true;
  }
}
