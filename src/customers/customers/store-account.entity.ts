import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account at a store that has bought for a customer. */
@Entity('store_accounts')
export class StoreAccount {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn({ name: 'account_key', type: 'text' })
  accountKey: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 })
  seenAt: Date;
}
