import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { OrganizationMemberSource, OrganizationRole } from './organization-role.js';

@Entity('organization_members')
export class OrganizationMember {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  userId: string;

  @Column('text')
  role: OrganizationRole;

  @Column('text')
  source: OrganizationMemberSource;

  /** False after an identity provider has deactivated the person. */
  @Column('boolean')
  active: boolean;

  /** Groups at the last sign-in through an identity provider. */
  @Column({ type: 'text', array: true })
  ssoGroups: string[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSsoAt: Date | null;

  /** The person's `sub` claims, by id of the OpenID Connect connection. */
  @Column({ type: 'jsonb', default: {} })
  ssoSubjects: Record<string, string>;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
