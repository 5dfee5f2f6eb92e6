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

  /** Source of the role: a user, the organization's role, or a group of an identity provider. */
  @Column({ type: 'text', default: 'manual' })
  source?: MemberSource;

  /** Role assigned manually; applies again once the organization assigns none. Null if `source` is manual. */
  @Column({ type: 'text', nullable: true })
  manualRole?: MemberRole | null;

  @Column({ type: 'timestamptz', precision: 3 })
  acceptedAt: Date;
}
