import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An app user id that gets no entitlements. */
@Entity('blocked_customers')
export class BlockedCustomer {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'app_user_id', type: 'text' })
  appUserId: string;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ name: 'blocked_at', type: 'timestamptz', precision: 3 })
  blockedAt: Date;

  @Column({ name: 'blocked_by_type', type: 'text' })
  blockedByType: string;

  @Column({ name: 'blocked_by_id', type: 'text' })
  blockedById: string;

  @Column({ name: 'blocked_by_email', type: 'text', nullable: true })
  blockedByEmail: string | null;
}
