import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RetentionAnswer } from '../../../../libs/stores/index.js';

/** One question of Apple, its answer, and what became of the subscription. */
@Entity('retention_requests')
export class RetentionRequest {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  /** UUID. */
  @PrimaryColumn('text')
  requestIdentifier: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  /** Null for a subscription that is unknown here. */
  @Column('text', { nullable: true })
  subscriptionId: string | null;

  /** Null if no rule decided. */
  @Column('text', { nullable: true })
  ruleId: string | null;

  /** Null if Apple shows its default. */
  @Column('jsonb', { nullable: true })
  answer: RetentionAnswer | null;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  /** End of the period at the time of the request. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  periodEndsAt: Date | null;

  /** Null until a day has passed. */
  @Column('boolean', { name: 'auto_renew_after_24h', nullable: true })
  autoRenewAfter24h: boolean | null;

  /** Null until a day after the end of the period. */
  @Column('boolean', { nullable: true })
  renewed: boolean | null;

  /** When the subscription is looked at again; null once both results are known. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;
}
