import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the id of an app, which store notifications carry, to its project. */
@Entity('app_routes')
export class AppRoute {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId: string;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;
}
