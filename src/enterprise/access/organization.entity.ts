import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Region } from '../../platform/config/enterprise-settings.js';

@Entity('organizations')
export class Organization {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  region: Region;

  /** Null keeps the audit log forever. */
  @Column({ type: 'integer', nullable: true })
  auditRetentionDays: number | null;

  @Column({ type: 'boolean' })
  ssoEnforced: boolean;

  /** Recorded but not enforced. */
  @Column({ type: 'integer', nullable: true })
  seats: number | null;

  @Column({ type: 'text', nullable: true })
  billingEmail: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
