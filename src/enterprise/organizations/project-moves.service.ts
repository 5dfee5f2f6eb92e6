import { Injectable } from '@nestjs/common';
import type { OrganizationTransaction } from '../access/organization-writes.service.js';
import { RoleApplicationService } from '../roles/role-application.service.js';
import { MembersRepository } from './members.repository.js';

/** Side effects of moving a project into an organization. */
@Injectable()
export class ProjectMovesService {
  constructor(
    private readonly members: MembersRepository,
    private readonly roles: RoleApplicationService,
  ) {}

  /** Everyone on the project becomes a member. Owners and admins of the organization become admins of the project. */
  async afterMoveIn(tx: OrganizationTransaction, projectId: string): Promise<void> {
    const { orgId } = tx.write;
    await this.members.insertOfProject(tx, orgId, projectId, new Date(tx.nowMs()));
    await this.roles.reapply(tx, orgId, { projects: [projectId] });
    await tx.audit({ action: 'project_added', target: 'project', targetId: projectId });
  }
}
