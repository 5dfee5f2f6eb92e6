import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'text' })
  tenantId: string;

  @PrimaryColumn('text')
  key: string;

  @Column('bytea')
  fingerprint: Buffer;

  @Column({ type: 'text' })
  claimId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  leaseUntil: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** The transaction that executed the request (xid8, which TypeORM does not support). */
  @Column({ type: 'text', nullable: true })
  carriedOutIn: string | null;

  @Column({ type: 'smallint', nullable: true })
  status: number | null;

  @Column({ type: 'text', nullable: true })
  sealedBody: string | null;

  @Column({ type: 'text', nullable: true })
  appUserId: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  otherAppUserIds: string[] | null;
}
