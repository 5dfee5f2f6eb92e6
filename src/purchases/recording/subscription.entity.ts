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

  /** Set while the key in the store is to be found: `guessed`, or `token_needed`. */
  @Column({ type: 'text', nullable: true })
  keyState: string | null;

  /** While access is held open until the key is found: the end of the period. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  heldFrom: Date | null;

  /** How many imported periods have a guessed length; null if none. */
  @Column({ type: 'smallint', nullable: true })
  unknownLengths: number | null;
}
