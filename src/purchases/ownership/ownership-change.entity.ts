import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('ownership_changes')
export class OwnershipChangeEntity {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  purchaseId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text' })
  fromCustomerId: string;

  @Column({ type: 'text', nullable: true })
  fromAppUserId: string | null;

  @Column({ type: 'text' })
  toCustomerId: string;

  @Column({ type: 'text', nullable: true })
  toAppUserId: string | null;

  @Column('text')
  rule: string;

  @Column({ type: 'boolean', nullable: true })
  isRestore: boolean | null;

  @Column({ type: 'text' })
  requestId: string;
}
