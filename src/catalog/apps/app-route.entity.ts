import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps an app id, which is part of the URL of store notifications, to its project. */
@Entity('app_routes')
export class AppRoute {
  @PrimaryColumn({ type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  projectId: string;
}
