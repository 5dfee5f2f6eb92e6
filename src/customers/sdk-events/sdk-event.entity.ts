import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that an SDK sent. Append-only; its customer may not exist. */
@Entity('sdk_events')
export class StoredSdkEvent {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  at: Date;

  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  receivedAt: Date;

  @Column('text')
  kind: string;

  @Column('text')
  appId: string;

  @Column('boolean')
  isSandbox: boolean;

  @Column('text')
  appUserId: string;

  @Column('text', { nullable: true })
  paywallId: string | null;

  /** Lookup key of the offering. */
  @Column('text', { nullable: true })
  offeringId: string | null;

  @Column('uuid', { nullable: true })
  sessionId: string | null;

  @Column('text', { nullable: true })
  platform: string | null;

  @Column('text', { nullable: true })
  locale: string | null;

  @Column('json')
  data: Record<string, string | number | boolean>;
}
