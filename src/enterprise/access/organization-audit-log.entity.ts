import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OrganizationActor } from './organization-write.js';

/** One change in an organization. Rows are never updated; only retention deletes them. */
@Entity('organization_audit_logs')
export class OrganizationAuditLogRow {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column('text')
  action: string;

  @Column({ name: 'actor_type', type: 'text' })
  actorType: OrganizationActor['type'];

  @Column({ name: 'actor_id', type: 'text', nullable: true })
  actorId: string | null;

  @Column({ name: 'actor_email', type: 'text', nullable: true })
  actorEmail: string | null;

  @Column({ name: 'target_type', type: 'text' })
  targetType: string;

  @Column({ name: 'target_id', type: 'text' })
  targetId: string;

  @Column('json')
  data: Record<string, unknown>;
}
