import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('store_refreshes')
export class StoreRefresh {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn('text', { name: 'purchase_key' })
  purchaseKey: string;

  @Column('integer')
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;
}
