import { Column, Entity, PrimaryColumn } from 'typeorm';

const time = { type: 'timestamptz', precision: 3 } as const;

@Entity('redemption_links')
export class RedemptionLink {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** Who owned the purchase when the link was made. */
  @Column('text')
  customerId: string;

  @Column('text')
  purchaseKind: 'subscription' | 'one_time';

  /** A subscription or a one-time purchase. */
  @Column('text')
  purchaseId: string;

  @Column('text', { nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  /** Where mails about the link go. */
  @Column('text', { nullable: true })
  email: string | null;

  @Column({ ...time, nullable: true })
  mailedAt: Date | null;

  @Column({ ...time })
  createdAt: Date;

  @Column({ ...time })
  expiresAt: Date;

  /** A newer link for the same purchase was made. */
  @Column({ ...time, nullable: true })
  replacedAt: Date | null;

  @Column({ ...time, nullable: true })
  revokedAt: Date | null;

  @Column({ ...time, nullable: true })
  redeemedAt: Date | null;

  /** App user id; null once that customer is erased. */
  @Column('text', { nullable: true })
  redeemedBy: string | null;

  @Column('text', { nullable: true })
  redeemedByCustomerId: string | null;
}
