import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request to send events again. Append-only. */
@Entity('webhook_replays')
export class Replay {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  webhookIntegrationId: string;

  /** Replays events recorded from this time until before `eventsTo`. */
  @Column({ type: 'timestamptz', precision: 3 })
  eventsFrom: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  eventsTo: Date;

  /** Upper case; empty: every type. */
  @Column('text', { array: true })
  eventTypes: string[];

  @Column('text')
  deliveries: 'failed' | 'all';

  @Column('integer')
  queued: number;

  /** Events of the range that were left out because they had been delivered. */
  @Column('integer')
  alreadyDelivered: number;

  @Column({ type: 'timestamptz', precision: 3 })
  requestedAt: Date;
}

/** The key of a delivery that a replay queued. */
@Entity('webhook_replay_deliveries')
export class ReplayDelivery {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  replayId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  deliveryCreatedAt: Date;

  @PrimaryColumn('text')
  deliveryId: string;
}
