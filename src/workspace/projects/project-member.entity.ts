import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectRole } from '../../platform/principal/permissions.js';

@Entity('project_members')
export class ProjectMember {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'role', type: 'text' })
  role: ProjectRole;

  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3 })
  acceptedAt: Date;
}
