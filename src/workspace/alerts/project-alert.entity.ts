import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AlertCause, AlertDetails } from './project-alert.js';

/** A problem of a project, open or resolved. Rows resolved long ago are deleted. */
@Entity('project_alerts')
export class ProjectAlert {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  cause: AlertCause;

  /** Id of the webhook integration, destination, app, experiment or SQL user. */
  @PrimaryColumn('text')
  subjectId: string;

  /** The same id if it is an app: the alert is deleted with it. */
  @Column('text', { nullable: true })
  appId: string | null;

  @Column('json')
  details: AlertDetails;

  @Column({ type: 'timestamptz', precision: 3 })
  openedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt: Date | null;

  /** Whether the last mail reported the problem, not its end. */
  @Column({ type: 'boolean' })
  isReported: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  problemMailedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  recoveryMailedAt: Date | null;
}
