import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A purchase that its store is to be asked about. */
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

  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;
}
