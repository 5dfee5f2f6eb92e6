import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The time-independent part of a customer's answer to SDKs, prepared for one version of the catalog. */
@Entity('customer_snapshots')
export class CustomerSnapshot {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @Column({ type: 'bigint' })
  catalogVersion: number;

  @Column({ type: 'bigint' })
  customerVersion: number;

  @Column('text')
  subscriber: string;

  @Column('text')
  etag: string;

  @Column({ type: 'json', nullable: true })
  storeUrls: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  validUntil: Date | null;
}
