import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { OrganizationMemberSource, OrganizationRole } from './organization-role.js';

@Entity('organization_members')
export class OrganizationMember {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @Column('text')
  role: OrganizationRole;

  @Column('text')
  source: OrganizationMemberSource;

  /** False once an identity provider has deactivated the person. */
  @Column('boolean')
  active: boolean;

  /** As of the last sign-in through an identity provider. */
  @Column({ name: 'sso_groups', type: 'text', array: true })
  ssoGroups: string[];

  @Column({ name: 'last_sso_at', type: 'timestamptz', precision: 3, nullable: true })
  lastSsoAt: Date | null;

  /** The person's `sub` by the id of the OpenID Connect connection, once known. */
  @Column({ name: 'sso_subjects', type: 'jsonb', default: {} })
  ssoSubjects: Record<string, string>;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
