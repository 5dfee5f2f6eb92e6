import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

const find = statement(
  'sso_members.find',
  'SELECT active FROM organization_members WHERE org_id = $1 AND user_id = $2 FOR UPDATE',
);

const join = statement(
  'sso_members.join',
  `INSERT INTO organization_members (org_id, user_id, role, source, created_at) VALUES ($1, $2, 'member', 'sso', $3)
   ON CONFLICT (org_id, user_id) DO NOTHING`,
);

const record = statement(
  'sso_members.record_sign_in',
  'UPDATE organization_members SET sso_groups = $3, last_sso_at = $4 WHERE org_id = $1 AND user_id = $2',
);

/** What a sign-in does to the place of a person in the organization. */
@Injectable()
export class SsoMembersRepository {
  /** Null if the person is no member. */
  async findActive(tx: Transaction, orgId: string, userId: string): Promise<boolean | null> {
    const [row] = await tx.query<{ active: boolean }>(find, [orgId, userId]);
    return row?.active ?? null;
  }

  async join(tx: Transaction, orgId: string, userId: string, now: Date): Promise<void> {
    await tx.query(join, [orgId, userId, now]);
  }

  async recordSignIn(
    tx: Transaction,
    { orgId, userId, groups, now }: { orgId: string; userId: string; groups: string[]; now: Date },
  ): Promise<void> {
    await tx.query(record, [orgId, userId, groups, now]);
  }
}
