import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the id of an app, which store notifications carry, to its project. */
@Entity('app_routes')
export class AppRoute {
  @PrimaryColumn({ type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  projectId: string;
}
