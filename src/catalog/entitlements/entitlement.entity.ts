import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('entitlements')
export class Entitlement {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'lookup_key' })
  lookupKey: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('text')
  state: 'active' | 'inactive';

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
