import { Injectable } from '@nestjs/common';
import type { ProjectRole } from '../auth/permissions.js';
import type { Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';

/** A person and their part in a project. */
export interface Member {
  userId: string;
  name: string | null;
  email: string;
  role: ProjectRole;
  acceptedAt: Date;
}

const page = statement(
  'collaborators.page',
  `SELECT m.user_id AS "userId", u.name, u.email, m.role, m.accepted_at AS "acceptedAt"
   FROM project_members m JOIN users u ON u.id = m.user_id
   LEFT JOIN project_members cursor ON cursor.project_id = $1 AND cursor.user_id = $2
   WHERE m.project_id = $1
     AND ($2::text IS NULL OR (m.accepted_at, m.user_id) > (cursor.accepted_at, cursor.user_id))
   ORDER BY m.accepted_at, m.user_id
   LIMIT $3`,
);

const exists = statement(
  'collaborators.exists',
  `SELECT 1 FROM project_members WHERE project_id = $1 AND user_id = $2`,
);

@Injectable()
export class CollaboratorsRepository {
  /** One more than a page, who came first first. */
  page(executor: Executor, projectId: string, { after, limit }: PageRequest): Promise<Member[]> {
    return executor.query(page, [projectId, after, limit + 1]);
  }

  async exists(executor: Executor, projectId: string, userId: string): Promise<boolean> {
    return (await executor.query(exists, [projectId, userId])).length > 0;
  }
}
