import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('store_refreshes')
export class StoreRefresh {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn('text')
  purchaseKey: string;

  @Column('integer')
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('text', { nullable: true })
  lastError: string | null;
}
