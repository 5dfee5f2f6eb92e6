import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Keeps ledger rows unique across the ledger's monthly partitions. A trigger writes it. */
@Entity('store_transaction_keys')
export class StoreTransactionKey {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  store: string;

  @PrimaryColumn('text')
  environment: string;

  @PrimaryColumn({ name: 'owner_key', type: 'text' })
  ownerKey: string;

  @PrimaryColumn({ name: 'period_key', type: 'text' })
  periodKey: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn({ name: 'kind_seq', type: 'integer' })
  kindSeq: number;

  @Column({ name: 'recorded_at', type: 'timestamptz', precision: 3 })
  recordedAt: Date;

  @Column('text')
  id: string;
}
