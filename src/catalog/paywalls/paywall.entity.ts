import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../libs/kernel/index.js';

/** A paywall of an offering. SDKs receive its published version; changes are made to its draft. */
@Entity('paywalls')
export class Paywall {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  offeringId: string;

  /** Null without unpublished changes. Only `PaywallsRepository.findWhole` reads it: it may have 256 KiB. */
  @Column('jsonb', { nullable: true, select: false })
  draft: JsonObject | null;

  /** The highest revision; that of the draft, if there is one. */
  @Column('integer')
  revision: number;

  /** The value of the draft, otherwise of the published version. */
  @Column('boolean')
  automaticallyScaleFontSize: boolean;

  @Column('integer', { nullable: true })
  publishedRevision: number | null;

  /** The offering with which SDKs receive it, until the paywall is published for another one. */
  @Column('text', { nullable: true })
  publishedOfferingId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  publishedAt: Date | null;

  /** Blob with the workflow that phones read. */
  @Column('text', { nullable: true })
  publishedRef: string | null;

  @Column('integer', { nullable: true })
  publishedBytes: number | null;

  /** Address of this server in the published blob. */
  @Column('text', { nullable: true })
  publishedBaseUrl: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
