import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RefundCondition } from '../../../../libs/targeting/index.js';

/** A message for the customers whose subscriptions meet all conditions. */
@Entity('retention_rules')
export class RetentionRule {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  appId: string;

  /** Apple's messages exist in one environment. */
  @Column('text')
  environment: 'production' | 'sandbox';

  /** Order of evaluation among the rules of the app. */
  @Column('integer')
  position: number;

  @Column('text')
  displayName: string;

  @Column('jsonb')
  conditions: RefundCondition[];

  /** UUID. */
  @Column('text')
  messageId: string;

  /** Product to switch to. Never together with an offer. */
  @Column('text', { nullable: true })
  alternateProductId: string | null;

  @Column('text', { nullable: true })
  offerProductId: string | null;

  /** Id of the promotional offer in the App Store. Set together with its product. */
  @Column('text', { nullable: true })
  offerId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
