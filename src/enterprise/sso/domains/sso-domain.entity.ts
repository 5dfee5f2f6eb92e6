import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DomainProblem } from './domain.policy.js';

@Entity('sso_domains')
export class SsoDomain {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  /** Lower case, A-labels. */
  @PrimaryColumn('text')
  domain: string;

  /** The value that the TXT record must contain. */
  @Column('text')
  token: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  verifiedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastCheckedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  lastError: DomainProblem | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
