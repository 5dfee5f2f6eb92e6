import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A store account that has made purchases for a customer. */
@Entity('store_accounts')
export class StoreAccount {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  appId: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn({ type: 'text' })
  accountKey: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt: Date;
}
