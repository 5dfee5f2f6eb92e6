import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Handling of a purchase posted by a customer who is not its owner. */
export const transferBehaviors = ['transfer', 'transfer_if_no_active', 'keep', 'share'] as const;
export type TransferBehavior = (typeof transferBehaviors)[number];

export const weekStarts = ['monday', 'sunday'] as const;
export type WeekStart = (typeof weekStarts)[number];

/** Which events of SDKs are stored. */
export const sdkEventsSettings = ['essential', 'all', 'off'] as const;
export type SdkEventsSetting = (typeof sdkEventsSettings)[number];

@Entity('projects')
export class Project {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  transferBehavior: TransferBehavior;

  /** Null: sandbox purchases follow `transferBehavior`. */
  @Column({ type: 'text', nullable: true })
  sandboxTransferBehavior: TransferBehavior | null;

  /** First day of the week in charts. */
  @Column({ type: 'text' })
  weekStartsOn: WeekStart;

  /** Customer attributes that charts can filter and group by; sorted. */
  @Column({ type: 'text', array: true })
  chartAttributes: string[];

  /** Percentage of customers excluded from all experiments. */
  @Column({ type: 'integer' })
  experimentHoldoutPercentage: number;

  /** Basis points by country, for outside purchases whose invoice names no tax. */
  @Column('json')
  outsidePurchaseTaxRates: Record<string, number>;

  @Column({ type: 'text' })
  sdkEvents: SdkEventsSetting;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Set from the deletion until the purge is complete; queries skip such rows. */
  @DeleteDateColumn({ type: 'timestamptz', precision: 3 })
  deletedAt?: Date | null;

  @Column({ type: 'bigint', select: false })
  catalogVersion?: number;

  /** True if any customer has an offering override, so offerings depend on the customer. */
  @Column({ type: 'boolean', select: false })
  hasOfferingOverrides?: boolean;

  /** True if customers were imported. */
  @Column({ type: 'boolean', select: false })
  hasImports?: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false })
  purgeDueAt?: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false })
  purgeLeaseUntil?: Date | null;
}
