import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The time-independent part of a customer's answer to SDKs, prepared for one version of the catalog. */
@Entity('customer_snapshots')
export class CustomerSnapshot {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'catalog_version', type: 'bigint' })
  catalogVersion: number;

  @Column({ name: 'customer_version', type: 'bigint' })
  customerVersion: number;

  @Column('text')
  subscriber: string;

  @Column('text')
  etag: string;

  @Column({ name: 'store_urls', type: 'json', nullable: true })
  storeUrls: Record<string, unknown> | null;

  @Column({ name: 'valid_until', type: 'timestamptz', precision: 3, nullable: true })
  validUntil: Date | null;
}
