import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { emailDomain } from '../../platform/http/bodies/email.js';
import type { OrganizationMember } from './organization-member.entity.js';

const find = statement(
  'managed_members.find',
  `SELECT role, active, sso_subjects AS "ssoSubjects" FROM organization_members
   WHERE org_id = $1 AND user_id = $2 FOR UPDATE`,
);

const hasOtherOwner = statement(
  'managed_members.has_other_owner',
  `SELECT user_id FROM organization_members
   WHERE org_id = $1 AND role = 'owner' AND active AND user_id <> $2 LIMIT 1 FOR UPDATE`,
);

const activate = statement(
  'managed_members.activate',
  `INSERT INTO organization_members (org_id, user_id, role, source, active, created_at)
   VALUES ($1, $2, 'member', $3, true, $4)
   ON CONFLICT (org_id, user_id) DO UPDATE SET active = true`,
);

const deactivate = statement(
  'managed_members.deactivate',
  `UPDATE organization_members SET active = false WHERE org_id = $1 AND user_id = $2`,
);

const recordSignIn = statement(
  'managed_members.record_sign_in',
  `UPDATE organization_members SET sso_groups = $3, last_sso_at = $4, sso_subjects = sso_subjects || $5::jsonb
   WHERE org_id = $1 AND user_id = $2`,
);

const isVerifiedDomain = statement(
  'managed_members.is_verified_domain',
  `SELECT domain FROM sso_domains WHERE org_id = $1 AND domain = $2 AND verified_at IS NOT NULL FOR SHARE`,
);

const isDeactivatedAddress = statement(
  'managed_members.is_deactivated_address',
  `SELECT id FROM scim_users WHERE org_id = $1 AND email = $2 AND NOT active LIMIT 1`,
);

export type ManagedMember = Pick<OrganizationMember, 'role' | 'active' | 'ssoSubjects'>;

export interface SignInRecord {
  orgId: string;
  userId: string;
  groups: string[];
  now: Date;
  connectionId: string;
  /** The person's subject at the connection; null if it may change. */
  subject: string | null;
}

/** SQL of `ManagedMembersService`. */
@Injectable()
export class ManagedMembersRepository {
  /** Locks the row. Returns null if the person is not a member. */
  async find(tx: Transaction, orgId: string, userId: string): Promise<ManagedMember | null> {
    const [row] = await tx.query<ManagedMember>(find, [orgId, userId]);
    return row ?? null;
  }

  async hasOtherOwner(tx: Transaction, orgId: string, userId: string): Promise<boolean> {
    return (await tx.query(hasOtherOwner, [orgId, userId])).length > 0;
  }

  /** Keeps the role and source of an existing member. */
  async activate(
    tx: Transaction,
    orgId: string,
    userId: string,
    source: 'scim' | 'sso',
    now: Date,
  ): Promise<void> {
    await tx.query(activate, [orgId, userId, source, now]);
  }

  async deactivate(tx: Transaction, orgId: string, userId: string): Promise<void> {
    await tx.query(deactivate, [orgId, userId]);
  }

  async recordSignIn(tx: Transaction, record: SignInRecord): Promise<void> {
    const { orgId, userId, groups, now, connectionId, subject } = record;
    const subjects = subject === null ? {} : { [connectionId]: subject };
    await tx.query(recordSignIn, [orgId, userId, groups, now, JSON.stringify(subjects)]);
  }

  /** Whether the organization has verified the email's domain. Stays true until `tx` ends. */
  async isVerified(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    return (await tx.query(isVerifiedDomain, [orgId, emailDomain(email)])).length > 0;
  }

  /** Whether SCIM provisioning has marked this address as inactive. */
  async isDeactivated(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    return (await tx.query(isDeactivatedAddress, [orgId, email])).length > 0;
  }
}
