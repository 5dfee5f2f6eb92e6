import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('offerings')
export class Offering {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  lookupKey: string;

  @Column('text')
  displayName: string;

  @Column('boolean')
  isCurrent: boolean;

  @Column('json', { nullable: true })
  metadata: Record<string, unknown> | null;

  @Column('text')
  state: 'active' | 'inactive';

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
