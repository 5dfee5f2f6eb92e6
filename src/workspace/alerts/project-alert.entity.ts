import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AlertCause, AlertDetails } from './project-alert.js';

/** A problem of a project, open or solved. Those solved long ago are deleted. */
@Entity('project_alerts')
export class ProjectAlert {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  cause: AlertCause;

  /** The webhook integration, the app or the experiment. */
  @PrimaryColumn('text', { name: 'subject_id' })
  subjectId: string;

  /** The same, if it is an app: the alert is deleted with it. */
  @Column('text', { name: 'app_id', nullable: true })
  appId: string | null;

  @Column('json')
  details: AlertDetails;

  @Column({ name: 'opened_at', type: 'timestamptz', precision: 3 })
  openedAt: Date;

  @Column({ name: 'resolved_at', type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt: Date | null;

  /** Whether the last mail said that there is a problem. */
  @Column({ name: 'is_reported', type: 'boolean' })
  isReported: boolean;

  @Column({ name: 'problem_mailed_at', type: 'timestamptz', precision: 3, nullable: true })
  problemMailedAt: Date | null;

  @Column({ name: 'recovery_mailed_at', type: 'timestamptz', precision: 3, nullable: true })
  recoveryMailedAt: Date | null;
}
