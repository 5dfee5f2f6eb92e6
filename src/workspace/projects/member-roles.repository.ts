import { Injectable } from '@nestjs/common';
import { MemberRoles } from '../../platform/auth/credential-lookups.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { MemberRole } from '../../platform/principal/permissions.js';

const findRole = statement(
  'auth.find_role',
  `SELECT m.role FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.project_id = $1 AND m.user_id = $2`,
);

@Injectable()
export class MemberRolesRepository implements MemberRoles {
  constructor(private readonly database: DatabaseService) {}

  async find(projectId: string, userId: string): Promise<MemberRole | null> {
    return (await this.database.query<{ role: MemberRole }>(findRole, [projectId, userId]))[0]?.role ?? null;
  }
}
