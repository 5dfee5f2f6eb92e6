import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('auth_settings')
export class AuthSettings {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  /** Whether customers can sign in at all. */
  @Column({ name: 'enabled', type: 'boolean' })
  enabled: boolean;

  @Column({ name: 'allow_anonymous', type: 'boolean' })
  allowAnonymous: boolean;
}
