import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What happens to a purchase that a customer other than its owner sends. */
export const transferBehaviors = ['transfer', 'transfer_if_no_active', 'keep', 'share'] as const;
export type TransferBehavior = (typeof transferBehaviors)[number];

export const weekStarts = ['monday', 'sunday'] as const;
export type WeekStart = (typeof weekStarts)[number];

@Entity('projects')
export class Project {
  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'transfer_behavior', type: 'text' })
  transferBehavior: TransferBehavior;

  /** Null: sandbox purchases follow `transferBehavior`. */
  @Column({ name: 'sandbox_transfer_behavior', type: 'text', nullable: true })
  sandboxTransferBehavior: TransferBehavior | null;

  /** On which day the weeks of charts begin. */
  @Column({ name: 'week_starts_on', type: 'text' })
  weekStartsOn: WeekStart;

  /** Attributes of customers by which charts are filtered and split; sorted. */
  @Column({ name: 'chart_attributes', type: 'text', array: true })
  chartAttributes: string[];

  /** Share of customers who join no experiment. */
  @Column({ name: 'experiment_holdout_percentage', type: 'integer' })
  experimentHoldoutPercentage: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Set from the deletion until the purge is complete; queries skip such rows. */
  @DeleteDateColumn({ name: 'deleted_at', type: 'timestamptz', precision: 3 })
  deletedAt?: Date | null;

  @Column({ name: 'catalog_version', type: 'bigint', select: false })
  catalogVersion?: number;

  /** Some customer has an offering override, so offerings depend on the customer. */
  @Column({ name: 'has_offering_overrides', type: 'boolean', select: false })
  hasOfferingOverrides?: boolean;

  /** Customers were imported. */
  @Column({ name: 'has_imports', type: 'boolean', select: false })
  hasImports?: boolean;

  @Column({ name: 'purge_due_at', type: 'timestamptz', precision: 3, nullable: true, select: false })
  purgeDueAt?: Date | null;

  @Column({ name: 'purge_lease_until', type: 'timestamptz', precision: 3, nullable: true, select: false })
  purgeLeaseUntil?: Date | null;
}
