import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MemberRole } from '../../platform/principal/permissions.js';

export const memberSources = ['manual', 'org', 'idp'] as const;
export type MemberSource = (typeof memberSources)[number];

@Entity('project_members')
export class ProjectMember {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'role', type: 'text' })
  role: MemberRole;

  /** Who gave the role: a person, the organization's role, or a group of an identity provider. */
  @Column({ name: 'source', type: 'text', default: 'manual' })
  source?: MemberSource;

  /** Given by hand, and held again once the organization gives none. Null if `source` is manual. */
  @Column({ name: 'manual_role', type: 'text', nullable: true })
  manualRole?: MemberRole | null;

  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3 })
  acceptedAt: Date;
}
