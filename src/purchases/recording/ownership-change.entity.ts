import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('ownership_changes')
export class OwnershipChangeEntity {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'purchase_id', type: 'text' })
  purchaseId: string;

  @PrimaryColumn({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'from_customer_id', type: 'text' })
  fromCustomerId: string;

  @Column({ name: 'from_app_user_id', type: 'text', nullable: true })
  fromAppUserId: string | null;

  @Column({ name: 'to_customer_id', type: 'text' })
  toCustomerId: string;

  @Column({ name: 'to_app_user_id', type: 'text', nullable: true })
  toAppUserId: string | null;

  @Column('text')
  rule: string;

  @Column({ name: 'is_restore', type: 'boolean', nullable: true })
  isRestore: boolean | null;

  @Column({ name: 'request_id', type: 'text' })
  requestId: string;
}
