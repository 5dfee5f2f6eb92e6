import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('subscription_mass_extensions')
export class MassExtension {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  @Column('text')
  productId: string;

  @Column('text')
  storeProductId: string;

  @Column('integer')
  extendByDays: number;

  @Column('text')
  extendReasonCode: string;

  @Column('text', { array: true })
  storefrontCountryCodes: string[];

  @Column('boolean')
  complete: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;

  @Column('integer', { nullable: true })
  succeededCount: number | null;

  @Column('integer', { nullable: true })
  failedCount: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  requestedAt: Date;

  @Column('boolean')
  answered: boolean;
}
