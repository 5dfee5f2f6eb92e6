import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What makes a ledger row unique for ever: the ledger itself is partitioned by month. A trigger writes it. */
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
