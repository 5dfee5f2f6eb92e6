import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('subscription_mass_extensions')
export class MassExtension {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  @Column('text', { name: 'product_id' })
  productId: string;

  @Column('text', { name: 'store_product_id' })
  storeProductId: string;

  @Column('integer', { name: 'extend_by_days' })
  extendByDays: number;

  @Column('text', { name: 'extend_reason_code' })
  extendReasonCode: string;

  @Column('text', { name: 'storefront_country_codes', array: true })
  storefrontCountryCodes: string[];

  @Column('boolean')
  complete: boolean;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;

  @Column('integer', { name: 'succeeded_count', nullable: true })
  succeededCount: number | null;

  @Column('integer', { name: 'failed_count', nullable: true })
  failedCount: number | null;

  @Column({ name: 'requested_at', type: 'timestamptz', precision: 3 })
  requestedAt: Date;

  @Column('boolean')
  answered: boolean;
}
