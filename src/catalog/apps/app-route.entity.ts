import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Leads from the id of an app, as store notifications name it, to its project. */
@Entity('app_routes')
export class AppRoute {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId: string;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;
}
