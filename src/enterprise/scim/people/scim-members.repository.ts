import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import type { OrganizationRole } from '../../access/organization-role.js';

const find = statement(
  'scim_members.find',
  `SELECT role, active FROM organization_members WHERE org_id = $1 AND user_id = $2 FOR UPDATE`,
);

const hasOtherOwner = statement(
  'scim_members.has_other_owner',
  `SELECT user_id FROM organization_members
   WHERE org_id = $1 AND role = 'owner' AND active AND user_id <> $2 LIMIT 1 FOR UPDATE`,
);

const activate = statement(
  'scim_members.activate',
  `INSERT INTO organization_members (org_id, user_id, role, source, active, created_at)
   VALUES ($1, $2, 'member', 'scim', true, $3)
   ON CONFLICT (org_id, user_id) DO UPDATE SET active = true`,
);

const deactivate = statement(
  'scim_members.deactivate',
  `UPDATE organization_members SET active = false WHERE org_id = $1 AND user_id = $2`,
);

const isVerifiedDomain = statement(
  'scim_members.is_verified_domain',
  `SELECT domain FROM sso_domains WHERE org_id = $1 AND domain = $2 AND verified_at IS NOT NULL FOR SHARE`,
);

/** The places of provisioned people in their organization, and the domains that it has proven. */
@Injectable()
export class ScimMembersRepository {
  /** Locks the row. Null if the person is no member. */
  async find(
    tx: Transaction,
    orgId: string,
    userId: string,
  ): Promise<{ role: OrganizationRole; active: boolean } | null> {
    const [row] = await tx.query<{ role: OrganizationRole; active: boolean }>(find, [orgId, userId]);
    return row ?? null;
  }

  async hasOtherOwner(tx: Transaction, orgId: string, userId: string): Promise<boolean> {
    return (await tx.query(hasOtherOwner, [orgId, userId])).length > 0;
  }

  /** Role and source of a present member stay. */
  async activate(tx: Transaction, orgId: string, userId: string, now: Date): Promise<void> {
    await tx.query(activate, [orgId, userId, now]);
  }

  async deactivate(tx: Transaction, orgId: string, userId: string): Promise<void> {
    await tx.query(deactivate, [orgId, userId]);
  }

  /** Whether the organization has proven the domain of an address. It stays proven until `tx` ends. */
  async isVerified(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    return (await tx.query(isVerifiedDomain, [orgId, domain])).length > 0;
  }
}
