import { Entity, PrimaryColumn } from 'typeorm';

/** A row of each project, and of each of its apps: a statement can start at it and stay among the rows of one project. */
@Entity('project_anchors')
export class ProjectAnchor {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  /** Empty: the row of the project itself. */
  @PrimaryColumn({ type: 'text' })
  appId: string;
}
