import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subscription: the store's facts, the emitted state, and columns derived from both. */
@Entity('subscriptions')
export class SubscriptionEntity {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'app_id', type: 'text', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: string;

  @Column({ name: 'store_key', type: 'text' })
  storeKey: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'original_customer_id', type: 'text' })
  originalCustomerId: string;

  @Column({ name: 'original_customer_app_user_id', type: 'text' })
  originalCustomerAppUserId: string;

  @Column({ name: 'store_product_id', type: 'text', nullable: true })
  storeProductId: string | null;

  @Column({ name: 'store_identifiers', type: 'text', array: true })
  storeIdentifiers: string[];

  @Column('json')
  facts: object;

  @Column({ name: 'facts_at_ms', type: 'bigint' })
  factsAtMs: number;

  @Column('json')
  emitted: object;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ name: 'access_ends_at', type: 'timestamptz', precision: 3, nullable: true })
  accessEndsAt: Date | null;

  @Column('text')
  status: string;

  @Column({ name: 'next_due_at', type: 'timestamptz', precision: 3, nullable: true })
  nextDueAt: Date | null;

  @Column('bigint')
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @Column({ name: 'granted_entitlement_id', type: 'text', nullable: true })
  grantedEntitlementId: string | null;

  /** Set while the key in the store is to be found: `guessed`, or `token_needed`. */
  @Column({ name: 'key_state', type: 'text', nullable: true })
  keyState: string | null;

  /** While access is held open until the key is found: the end of the period. */
  @Column({ name: 'held_from', type: 'timestamptz', precision: 3, nullable: true })
  heldFrom: Date | null;

  /** How many imported periods have a guessed length; null if none. */
  @Column({ name: 'unknown_lengths', type: 'smallint', nullable: true })
  unknownLengths: number | null;
}
