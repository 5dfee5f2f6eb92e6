import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { MemberRole } from '../../platform/principal/permissions.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import { addAnchor } from '../../platform/anchors/project-anchors.sql.js';
import { type Place, placeByCreation } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { Project } from './project.entity.js';
import { ProjectMember } from './project-member.entity.js';

export interface ProjectMembership {
  id: string;
  name: string;
  role: MemberRole;
  createdAt: Date;
}

const membershipColumns = `p.id, p.name, m.role, p.created_at AS "createdAt"`;

const pageOfMember = statement(
  'projects.page_of_member',
  `SELECT ${membershipColumns}
   FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.user_id = $1 AND ($2::timestamptz IS NULL OR (p.created_at, p.id) > ($2, $3::text))
   ORDER BY p.created_at, p.id
   LIMIT $4`,
);

const allOfMember = statement(
  'projects.all_of_member',
  `SELECT ${membershipColumns}
   FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.user_id = $1
   ORDER BY p.created_at, p.id`,
);

const placeOf = statement(
  'projects.place',
  `SELECT p.created_at AS "createdAt", p.id FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.project_id = $1 AND m.user_id = $2`,
);

const orphans = statement(
  'projects.orphans',
  `SELECT p.id FROM projects p
   WHERE p.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM project_members m WHERE m.project_id = p.id)`,
);

const markDeleted = statement(
  'projects.mark_deleted',
  'UPDATE projects SET deleted_at = $2, purge_due_at = $2 WHERE id = $1',
);

/** This stops all deliveries: the dispatcher drops those without an integration. */
const deleteIntegrations = statement(
  'projects.delete_integrations',
  'DELETE FROM webhook_integrations WHERE project_id = $1',
);

@Injectable()
export class ProjectsRepository {
  constructor(
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    @InjectRepository(ProjectMember) private readonly members: Repository<ProjectMember>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, project: Project): Promise<void> {
    await onTransaction(this.projects, tx).insert(project);
    await tx.query(addAnchor, [project.id, '']);
  }

  /** Ids of projects without any member. */
  async orphans(tx: Transaction): Promise<string[]> {
    return (await tx.query<{ id: string }>(orphans, [])).map(({ id }) => id);
  }

  async addMember(tx: Transaction, member: ProjectMember): Promise<void> {
    await onTransaction(this.members, tx).insert(member);
  }

  find(projectId: string, tx?: Transaction): Promise<Project | null> {
    return onTransaction(this.projects, tx).findOneBy({ id: projectId });
  }

  /** Like `find`. The row does not change until `tx` ends. */
  lock(tx: Transaction, projectId: string): Promise<Project | null> {
    const options = { where: { id: projectId }, lock: { mode: 'for_no_key_update' } } as const;
    return onTransaction(this.projects, tx).findOne(options);
  }

  async update(tx: Transaction, projectId: string, changes: Partial<Project>): Promise<void> {
    await onTransaction(this.projects, tx).update({ id: projectId }, changes);
  }

  /** Hides a project everywhere and queues it for the purge. */
  async markDeleted(tx: Transaction, projectId: string, deletedAt: Date): Promise<void> {
    await tx.query(markDeleted, [projectId, deletedAt]);
    await tx.query(deleteIntegrations, [projectId]);
  }

  pageOfMember(userId: string, { limit }: PageRequest, after: Place | null): Promise<ProjectMembership[]> {
    return this.database.query(pageOfMember, [userId, ...(after ?? [null, null]), limit + 1]);
  }

  allOfMember(userId: string, executor: Executor = this.database): Promise<ProjectMembership[]> {
    return executor.query(allOfMember, [userId]);
  }

  /** The position of a project in a user's list, or null if it is not in it. */
  async placeOf(projectId: string, userId: string): Promise<Place | null> {
    const [row] = await this.database.query<Pick<Project, 'createdAt' | 'id'>>(placeOf, [projectId, userId]);
    return row ? placeByCreation(row) : null;
  }
}
