import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('auth_identities')
export class AuthIdentity {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'provider_id', type: 'text' })
  providerId: string;

  /** `sub` of the provider's tokens. */
  @PrimaryColumn({ name: 'subject', type: 'text' })
  subject: string;

  /** As mapped at the first sign-in, whatever the provider's settings say now. */
  @Column({ name: 'app_user_id', type: 'text' })
  appUserId: string;

  @Column({ name: 'logins', type: 'integer' })
  logins: number;

  @Column({ name: 'last_login_at', type: 'timestamptz', precision: 3 })
  lastLoginAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
