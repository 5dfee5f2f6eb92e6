import { Injectable } from '@nestjs/common';
import type { MemberRole, ProjectRole } from '../../platform/principal/permissions.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { MemberSource } from '../projects/project-member.entity.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';

export interface Member {
  userId: string;
  name: string | null;
  email: string;
  emailVerified: boolean;
  role: MemberRole;
  source: MemberSource;
  acceptedAt: Date;
  hasTwoFactor: boolean;
}

/** A member to be added. */
export interface NewMember {
  projectId: string;
  userId: string;
  role: ProjectRole;
  acceptedAt: Date;
}

const members = `SELECT m.user_id AS "userId", u.name, u.email, u.email_verified AS "emailVerified", m.role, m.source, m.accepted_at AS "acceptedAt",
     u.two_factor_enabled_at IS NOT NULL AS "hasTwoFactor"
   FROM project_members m JOIN users u ON u.id = m.user_id
   WHERE m.project_id = $1`;

const page = statement(
  'collaborators.page',
  `${members} AND ($2::timestamptz IS NULL OR (m.accepted_at, m.user_id) > ($2, $3::text))
   ORDER BY m.accepted_at, m.user_id
   LIMIT $4`,
);

const find = statement('collaborators.find', `${members} AND m.user_id = $2`);

const findAll = statement(
  'collaborators.find_all',
  `${members} AND m.user_id = ANY ($2::text[]) ORDER BY m.accepted_at, m.user_id`,
);

const findByEmail = statement('collaborators.find_by_email', `${members} AND u.email = $2`);

/* Locks rows in a fixed order, so that two writers cannot deadlock. */
const lock = statement(
  'collaborators.lock',
  `SELECT user_id AS "userId", role, source FROM project_members
   WHERE project_id = $1 AND (role = 'admin' OR user_id = $2)
   ORDER BY user_id FOR UPDATE`,
);

const add = statement(
  'collaborators.add',
  `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (project_id, user_id) DO NOTHING`,
);

const setRole = statement(
  'collaborators.set_role',
  `UPDATE project_members SET role = $3, source = 'manual', manual_role = NULL WHERE project_id = $1 AND user_id = $2`,
);

const remove = statement(
  'collaborators.remove',
  `DELETE FROM project_members WHERE project_id = $1 AND user_id = $2`,
);

@Injectable()
export class CollaboratorsRepository {
  constructor(private readonly database: DatabaseService) {}

  page(projectId: string, { limit }: PageRequest, after: Place | null): Promise<Member[]> {
    return this.database.query(page, [projectId, ...(after ?? [null, null]), limit + 1]);
  }

  /** Omits users who are not members. */
  findAll(projectId: string, userIds: string[]): Promise<Member[]> {
    return this.database.query(findAll, [projectId, userIds]);
  }

  async find(projectId: string, userId: string, executor: Executor = this.database): Promise<Member | null> {
    return (await executor.query<Member>(find, [projectId, userId]))[0] ?? null;
  }

  async findByEmail(projectId: string, email: string): Promise<Member | null> {
    return (await this.database.query<Member>(findByEmail, [projectId, email]))[0] ?? null;
  }

  /** The member's position in the list, or null if not a member. */
  async placeOf(projectId: string, userId: string): Promise<Place | null> {
    const member = await this.find(projectId, userId);
    return member && [member.acceptedAt, userId];
  }

  /** Returns the project's admins and the given user, if a member. None of them changes until `tx` ends. */
  lock(
    tx: Transaction,
    projectId: string,
    userId: string,
  ): Promise<Pick<Member, 'userId' | 'role' | 'source'>[]> {
    return tx.query(lock, [projectId, userId]);
  }

  /** Existing members keep their role. */
  async add(tx: Transaction, { projectId, userId, role, acceptedAt }: NewMember): Promise<void> {
    await tx.query(add, [projectId, userId, role, acceptedAt]);
  }

  async setRole(tx: Transaction, projectId: string, userId: string, role: ProjectRole): Promise<void> {
    await tx.query(setRole, [projectId, userId, role]);
  }

  async remove(tx: Transaction, projectId: string, userId: string): Promise<void> {
    await tx.query(remove, [projectId, userId]);
  }
}
