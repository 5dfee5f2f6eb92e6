import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer as lists with filters find them: computed again after each change of the customer or their purchases. */
@Entity('listed_customers')
export class ListedCustomerRow {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  customerId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  clockAt: Date | null;

  /** Values that filters compare for equality, each after the project's id. */
  @Column('text', { array: true })
  tags: string[];

  /** Latest end of a subscription that gives access; infinity if it never ends. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accessUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  trialUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  graceUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sandboxAccessUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sandboxTrialUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sandboxGraceUntil: Date | null;

  /** Gross, refunds subtracted. */
  @Column('bigint')
  spentUsdMicros: number;

  @Column('bigint')
  sandboxSpentUsdMicros: number;

  /** Refunds without a reversal. */
  @Column('integer')
  refunds: number;

  @Column('integer')
  sandboxRefunds: number;
}

/** A customer who has changed since their row was computed. Triggers write it. */
@Entity('listed_customer_changes')
export class ListedCustomerChange {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column('text')
  customerId: string;
}

/** A project whose earlier customers are not all listed yet. */
@Entity('listed_customer_fills')
export class ListedCustomerFill {
  @PrimaryColumn('text')
  projectId: string;

  @Column('text')
  afterCustomerId: string;
}
