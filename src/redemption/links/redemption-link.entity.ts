import { Column, Entity, PrimaryColumn } from 'typeorm';

const time = { type: 'timestamptz', precision: 3 } as const;

@Entity('redemption_links')
export class RedemptionLink {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** The owner of the purchase when the link was created. */
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

  /** Address for mails about the link. */
  @Column('text', { nullable: true })
  email: string | null;

  @Column({ ...time, nullable: true })
  mailedAt: Date | null;

  @Column({ ...time })
  createdAt: Date;

  @Column({ ...time })
  expiresAt: Date;

  /** When a newer link for the same purchase replaced this one. */
  @Column({ ...time, nullable: true })
  replacedAt: Date | null;

  @Column({ ...time, nullable: true })
  revokedAt: Date | null;

  @Column({ ...time, nullable: true })
  redeemedAt: Date | null;

  /** App user id; null if that customer was erased. */
  @Column('text', { nullable: true })
  redeemedBy: string | null;

  @Column('text', { nullable: true })
  redeemedByCustomerId: string | null;
}
