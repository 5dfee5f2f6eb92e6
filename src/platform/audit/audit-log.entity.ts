import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from './project-write.js';

/** One change in a project. Rows are never updated or deleted. */
@Entity('audit_logs')
export class AuditLogRow {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column({ type: 'text' })
  actionType: string;

  @Column({ type: 'text' })
  targetType: string;

  @Column({ type: 'text' })
  targetIdentifier: string;

  @Column({ type: 'text' })
  actorType: Actor['type'];

  @Column({ type: 'text' })
  actorIdentifier: string;

  @Column({ type: 'json' })
  additionalData: Record<string, unknown>;
}
