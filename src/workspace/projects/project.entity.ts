import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What happens to a purchase that a customer other than its owner sends. */
export const transferBehaviors = ['transfer', 'transfer_if_no_active', 'keep', 'share'] as const;
export type TransferBehavior = (typeof transferBehaviors)[number];

export const weekStarts = ['monday', 'sunday'] as const;
export type WeekStart = (typeof weekStarts)[number];

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

  /** On which day the weeks of charts begin. */
  @Column({ type: 'text' })
  weekStartsOn: WeekStart;

  /** Attributes of customers by which charts are filtered and split; sorted. */
  @Column({ type: 'text', array: true })
  chartAttributes: string[];

  /** Share of customers who join no experiment. */
  @Column({ type: 'integer' })
  experimentHoldoutPercentage: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Set from the deletion until the purge is complete; queries skip such rows. */
  @DeleteDateColumn({ type: 'timestamptz', precision: 3 })
  deletedAt?: Date | null;

  @Column({ type: 'bigint', select: false })
  catalogVersion?: number;

  /** Some customer has an offering override, so offerings depend on the customer. */
  @Column({ type: 'boolean', select: false })
  hasOfferingOverrides?: boolean;

  /** Customers were imported. */
  @Column({ type: 'boolean', select: false })
  hasImports?: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false })
  purgeDueAt?: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false })
  purgeLeaseUntil?: Date | null;
}
