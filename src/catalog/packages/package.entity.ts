import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('packages')
export class Package {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  offeringId: string;

  @Column('text')
  lookupKey: string;

  @Column('text')
  displayName: string;

  @Column('integer')
  position: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
