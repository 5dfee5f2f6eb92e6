import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Region } from '../../platform/config/enterprise-settings.js';

/** A project belongs to at most one organization. */
@Entity('organization_projects')
export class OrganizationProject {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column('text')
  region: Region;

  @Column({ type: 'timestamptz', precision: 3 })
  addedAt: Date;
}
