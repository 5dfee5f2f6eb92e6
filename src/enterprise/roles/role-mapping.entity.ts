import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MemberRole } from '../../platform/principal/permissions.js';

/** The role that a group of an identity provider gives in a project. */
@Entity('role_mappings')
export class RoleMapping {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  /** As it was written; compared without regard to case. */
  @Column('text', { name: 'group_name' })
  groupName: string;

  @Column('text', { name: 'project_id' })
  projectId: string;

  @Column('text')
  role: MemberRole;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
