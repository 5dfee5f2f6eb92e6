import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ name: 'tenant_id', type: 'text' })
  tenantId: string;

  @PrimaryColumn('text')
  key: string;

  @Column('bytea')
  fingerprint: Buffer;

  @Column({ name: 'claim_id', type: 'text' })
  claimId: string;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3 })
  leaseUntil: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** The transaction that carried the request out: xid8, which TypeORM lacks. */
  @Column({ name: 'carried_out_in', type: 'text', nullable: true })
  carriedOutIn: string | null;

  @Column({ type: 'smallint', nullable: true })
  status: number | null;

  @Column({ name: 'sealed_body', type: 'text', nullable: true })
  sealedBody: string | null;

  @Column({ name: 'app_user_id', type: 'text', nullable: true })
  appUserId: string | null;

  @Column({ name: 'other_app_user_ids', type: 'text', array: true, nullable: true })
  otherAppUserIds: string[] | null;
}
