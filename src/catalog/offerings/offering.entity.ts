import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('offerings')
export class Offering {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'lookup_key' })
  lookupKey: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('boolean', { name: 'is_current' })
  isCurrent: boolean;

  @Column('json', { nullable: true })
  metadata: Record<string, unknown> | null;

  @Column('text')
  state: 'active' | 'inactive';

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
