import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Ensures that ledger rows are unique across the ledger's monthly partitions. A trigger writes it. */
@Entity('store_transaction_keys')
export class StoreTransactionKey {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  store: string;

  @PrimaryColumn('text')
  environment: string;

  @PrimaryColumn({ type: 'text' })
  ownerKey: string;

  @PrimaryColumn({ type: 'text' })
  periodKey: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn({ type: 'integer' })
  kindSeq: number;

  @Column({ type: 'timestamptz', precision: 3 })
  recordedAt: Date;

  @Column('text')
  id: string;
}
