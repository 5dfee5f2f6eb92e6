import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When an app user id first saw a paywall. Charts read these rows, which outlive the events. */
@Entity('paywall_views')
export class PaywallView {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn('text')
  appUserId: string;

  /** Empty if the event named none. */
  @PrimaryColumn('text')
  paywallId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  firstAt: Date;

  /** When a purchase was first started. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  initiatedAt: Date | null;
}
