import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Region } from '../../platform/config/enterprise-settings.js';

/** A project belongs to one organization at most. */
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
