import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Region } from '../config/enterprise-settings.js';

/** A project stored by another deployment. Projects without a row are stored here. */
@Entity('project_locations')
export class ProjectLocation {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column('text')
  region: Region;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;
}
