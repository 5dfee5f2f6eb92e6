import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subscription: the store's facts, the emitted state, and columns derived from both. */
@Entity('subscriptions')
export class SubscriptionEntity {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: string;

  @Column({ type: 'text' })
  storeKey: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'text' })
  originalCustomerId: string;

  @Column({ type: 'text' })
  originalCustomerAppUserId: string;

  @Column({ type: 'text', nullable: true })
  storeProductId: string | null;

  @Column({ type: 'text', array: true })
  storeIdentifiers: string[];

  @Column('json')
  facts: object;

  @Column({ type: 'bigint' })
  factsAtMs: number;

  @Column('json')
  emitted: object;

  @Column({ type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accessEndsAt: Date | null;

  @Column('text')
  status: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextDueAt: Date | null;

  @Column('bigint')
  version: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'text', nullable: true })
  grantedEntitlementId: string | null;

  /** Why the store's key is still unknown: `guessed` or `token_needed`; null once it is known. */
  @Column({ type: 'text', nullable: true })
  keyState: string | null;

  /** End of the period while access is held open until the store's key is known. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  heldFrom: Date | null;

  /** Number of imported periods with a guessed length; null if none. */
  @Column({ type: 'smallint', nullable: true })
  unknownLengths: number | null;
}
