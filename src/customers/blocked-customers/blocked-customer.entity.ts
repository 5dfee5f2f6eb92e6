import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An app user id that receives no entitlements. */
@Entity('blocked_customers')
export class BlockedCustomer {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  appUserId: string;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  blockedAt: Date;

  @Column({ type: 'text' })
  blockedByType: string;

  @Column({ type: 'text' })
  blockedById: string;

  @Column({ type: 'text', nullable: true })
  blockedByEmail: string | null;
}
