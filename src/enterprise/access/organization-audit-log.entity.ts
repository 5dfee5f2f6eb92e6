import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OrganizationActor } from './organization-write.js';

/** One change in an organization. Rows are never updated; only the retention job deletes them. */
@Entity('organization_audit_logs')
export class OrganizationAuditLogRow {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column('text')
  action: string;

  @Column({ type: 'text' })
  actorType: OrganizationActor['type'];

  @Column({ type: 'text', nullable: true })
  actorId: string | null;

  @Column({ type: 'text', nullable: true })
  actorEmail: string | null;

  @Column({ type: 'text' })
  targetType: string;

  @Column({ type: 'text' })
  targetId: string;

  @Column('json')
  data: Record<string, unknown>;
}
