import { Column, Entity, PrimaryColumn } from 'typeorm';

const time = { type: 'timestamptz', precision: 3 } as const;

@Entity('redemption_links')
export class RedemptionLink {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** Who owned the purchase when the link was made. */
  @Column('text', { name: 'customer_id' })
  customerId: string;

  @Column('text', { name: 'purchase_kind' })
  purchaseKind: 'subscription' | 'one_time';

  /** A subscription or a one-time purchase. */
  @Column('text', { name: 'purchase_id' })
  purchaseId: string;

  @Column('text', { name: 'app_id', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  /** Where mails about the link go. */
  @Column('text', { nullable: true })
  email: string | null;

  @Column({ name: 'mailed_at', ...time, nullable: true })
  mailedAt: Date | null;

  @Column({ name: 'created_at', ...time })
  createdAt: Date;

  @Column({ name: 'expires_at', ...time })
  expiresAt: Date;

  /** A newer link for the same purchase was made. */
  @Column({ name: 'replaced_at', ...time, nullable: true })
  replacedAt: Date | null;

  @Column({ name: 'revoked_at', ...time, nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'redeemed_at', ...time, nullable: true })
  redeemedAt: Date | null;

  /** App user id; null once that customer is erased. */
  @Column('text', { name: 'redeemed_by', nullable: true })
  redeemedBy: string | null;

  @Column('text', { name: 'redeemed_by_customer_id', nullable: true })
  redeemedByCustomerId: string | null;
}
