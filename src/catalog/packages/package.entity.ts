import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('packages')
export class Package {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'offering_id' })
  offeringId: string;

  @Column('text', { name: 'lookup_key' })
  lookupKey: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('integer')
  position: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
