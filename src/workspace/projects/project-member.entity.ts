import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MemberRole } from '../../platform/principal/permissions.js';

export const memberSources = ['manual', 'org', 'idp'] as const;
export type MemberSource = (typeof memberSources)[number];

@Entity('project_members')
export class ProjectMember {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  /** Who gave the role: a person, the organization's role, or a group of an identity provider. */
  @Column({ type: 'text', default: 'manual' })
  source?: MemberSource;

  /** Given by hand, and held again once the organization gives none. Null if `source` is manual. */
  @Column({ type: 'text', nullable: true })
  manualRole?: MemberRole | null;

  @Column({ type: 'timestamptz', precision: 3 })
  acceptedAt: Date;
}
