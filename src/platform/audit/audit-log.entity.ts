import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from './project-write.js';

/** One change in a project. Rows are never updated or deleted. */
@Entity('audit_logs')
export class AuditLogRow {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column({ name: 'action_type', type: 'text' })
  actionType: string;

  @Column({ name: 'target_type', type: 'text' })
  targetType: string;

  @Column({ name: 'target_identifier', type: 'text' })
  targetIdentifier: string;

  @Column({ name: 'actor_type', type: 'text' })
  actorType: Actor['type'];

  @Column({ name: 'actor_identifier', type: 'text' })
  actorIdentifier: string;

  @Column({ name: 'additional_data', type: 'json' })
  additionalData: Record<string, unknown>;
}
