import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('entitlements')
export class Entitlement {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  lookupKey: string;

  @Column('text')
  displayName: string;

  @Column('text')
  state: 'active' | 'inactive';

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
