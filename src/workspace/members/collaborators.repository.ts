import { Injectable } from '@nestjs/common';
import type { ProjectRole } from '../../platform/principal/permissions.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';

export interface Member {
  userId: string;
  name: string | null;
  email: string;
  role: ProjectRole;
  acceptedAt: Date;
  hasTwoFactor: boolean;
}

const page = statement(
  'collaborators.page',
  `SELECT m.user_id AS "userId", u.name, u.email, m.role, m.accepted_at AS "acceptedAt",
     u.two_factor_enabled_at IS NOT NULL AS "hasTwoFactor"
   FROM project_members m JOIN users u ON u.id = m.user_id
   WHERE m.project_id = $1 AND ($2::timestamptz IS NULL OR (m.accepted_at, m.user_id) > ($2, $3::text))
   ORDER BY m.accepted_at, m.user_id
   LIMIT $4`,
);

const find = statement(
  'collaborators.find',
  `SELECT accepted_at AS "acceptedAt" FROM project_members WHERE project_id = $1 AND user_id = $2`,
);

@Injectable()
export class CollaboratorsRepository {
  constructor(private readonly database: DatabaseService) {}

  page(projectId: string, { limit }: PageRequest, after: Place | null): Promise<Member[]> {
    return this.database.query(page, [projectId, ...(after ?? [null, null]), limit + 1]);
  }

  /** The member's position in the list, or null if not a member. */
  async placeOf(projectId: string, userId: string): Promise<Place | null> {
    const [row] = await this.database.query<Pick<Member, 'acceptedAt'>>(find, [projectId, userId]);
    return row ? [row.acceptedAt, userId] : null;
  }
}
