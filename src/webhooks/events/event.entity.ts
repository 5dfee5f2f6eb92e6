import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of the event log. Append-only. */
@Entity('events')
export class RecordedEvent {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column('text')
  type: string;

  @Column('text')
  dedupeKey: string;

  @Column('text', { nullable: true })
  customerId: string | null;

  @Column('text', { nullable: true })
  otherCustomerId: string | null;

  @Column('bigint', { nullable: true })
  sequence: number | null;

  @Column('text', { nullable: true })
  subscriptionId: string | null;

  @Column('text', { nullable: true })
  purchaseId: string | null;

  @Column('text', { nullable: true })
  appId: string | null;

  @Column('text', { nullable: true })
  environment: 'production' | 'sandbox' | null;

  @Column('text')
  delivery: 'send' | 'suppressed';

  @Column('json')
  body: unknown;
}

/** The key of a recorded event, which makes it unique across all months. */
@Entity('event_keys')
export class EventKey {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  dedupeKey: string;
}

/** A kind of event that occurs in a project; the empty string represents none. */
@Entity('event_kinds')
export class EventKind {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  type: string;

  @PrimaryColumn('text')
  environment: string;

  @PrimaryColumn('text')
  appId: string;
}
