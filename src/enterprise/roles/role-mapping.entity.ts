import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MemberRole } from '../../platform/principal/permissions.js';

/** The role that a group of an identity provider grants in a project. */
@Entity('role_mappings')
export class RoleMapping {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  /** As entered; compared case-insensitively. */
  @Column('text')
  groupName: string;

  @Column('text')
  projectId: string;

  @Column('text')
  role: MemberRole;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
