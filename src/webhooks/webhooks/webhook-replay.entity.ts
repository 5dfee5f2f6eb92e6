import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request to send events again. Append-only. */
@Entity('webhook_replays')
export class WebhookReplay {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'webhook_integration_id' })
  webhookIntegrationId: string;

  /** Of events recorded from this time, and before `eventsTo`. */
  @Column({ name: 'events_from', type: 'timestamptz', precision: 3 })
  eventsFrom: Date;

  @Column({ name: 'events_to', type: 'timestamptz', precision: 3 })
  eventsTo: Date;

  /** Upper case; empty: every type. */
  @Column('text', { name: 'event_types', array: true })
  eventTypes: string[];

  @Column('text')
  deliveries: 'failed' | 'all';

  @Column('integer')
  queued: number;

  @Column({ name: 'requested_at', type: 'timestamptz', precision: 3 })
  requestedAt: Date;
}

/** The key of a delivery that a replay queued. */
@Entity('webhook_replay_deliveries')
export class WebhookReplayDelivery {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'replay_id' })
  replayId: string;

  @PrimaryColumn({ name: 'delivery_created_at', type: 'timestamptz', precision: 3 })
  deliveryCreatedAt: Date;

  @PrimaryColumn('text', { name: 'delivery_id' })
  deliveryId: string;
}
