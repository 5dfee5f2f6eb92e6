import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../libs/kernel/index.js';

/** A document that was published. Never changes. */
@Entity('paywall_versions')
export class PaywallVersion {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  paywallId: string;

  @PrimaryColumn('integer')
  revision: number;

  @Column('jsonb')
  document: JsonObject;

  @Column({ type: 'timestamptz', precision: 3 })
  publishedAt: Date;

  /** Email address of a person; id of a key or client; or `system`. */
  @Column('text')
  publishedBy: string;
}
