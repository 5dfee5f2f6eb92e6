import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import { ProjectMember } from './project-member.entity.js';

/** Also waits for users who are joining: their rows refer to the project's. */
const lockProject = statement(
  'memberships.lock_project',
  `SELECT id FROM projects WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
);

const lockMembers = statement(
  'memberships.lock_members',
  `SELECT user_id AS "userId", role FROM project_members WHERE project_id = $1 ORDER BY user_id FOR UPDATE`,
);

const makeAdmin = statement(
  'memberships.make_admin',
  `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'admin', $3)
   ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, source = 'manual', manual_role = NULL`,
);

@Injectable()
export class MembershipsRepository {
  constructor(@InjectRepository(ProjectMember) private readonly members: Repository<ProjectMember>) {}

  /** Returns false if the project is not found. Its members and their roles do not change until `tx` ends. */
  async lockProject(tx: Transaction, projectId: string): Promise<boolean> {
    return (await tx.query(lockProject, [projectId])).length > 0;
  }

  lockMembers(tx: Transaction, projectId: string): Promise<{ userId: string; role: MemberRole }[]> {
    return tx.query(lockMembers, [projectId]);
  }

  async makeAdmin(tx: Transaction, projectId: string, userId: string, now: Date): Promise<void> {
    await tx.query(makeAdmin, [projectId, userId, now]);
  }

  /** Includes deleted projects. */
  async deleteOfUser(tx: Transaction, userId: string): Promise<void> {
    await onTransaction(this.members, tx).delete({ userId });
  }
}
