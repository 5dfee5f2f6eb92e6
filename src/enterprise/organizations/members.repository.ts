import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { OrganizationMember } from '../access/organization-member.entity.js';

const insert = statement(
  'organization_members.insert',
  `INSERT INTO organization_members (org_id, user_id, role, source, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (org_id, user_id) DO NOTHING`,
);

export type NewOrganizationMember = Pick<
  OrganizationMember,
  'orgId' | 'userId' | 'role' | 'source' | 'createdAt'
>;

@Injectable()
export class MembersRepository {
  constructor(protected readonly database: DatabaseService) {}

  /** A present member stays as they are. */
  async insert(
    tx: Transaction,
    { orgId, userId, role, source, createdAt }: NewOrganizationMember,
  ): Promise<void> {
    await tx.query(insert, [orgId, userId, role, source, createdAt]);
  }
}
