import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DomainProblem } from './domain.policy.js';

@Entity('sso_domains')
export class SsoDomain {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  /** Lower case, A-labels. */
  @PrimaryColumn('text')
  domain: string;

  /** What the TXT record must have. */
  @Column('text')
  token: string;

  @Column({ name: 'verified_at', type: 'timestamptz', precision: 3, nullable: true })
  verifiedAt: Date | null;

  @Column({ name: 'last_checked_at', type: 'timestamptz', precision: 3, nullable: true })
  lastCheckedAt: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: DomainProblem | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
