import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('auth_settings')
export class AuthSettings {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  /** Whether customers can sign in at all. */
  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'boolean' })
  allowAnonymous: boolean;
}
