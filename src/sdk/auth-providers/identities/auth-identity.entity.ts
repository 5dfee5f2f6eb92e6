import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('auth_identities')
export class AuthIdentity {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  providerId: string;

  /** `sub` in the provider's tokens. */
  @PrimaryColumn({ type: 'text' })
  subject: string;

  /** The id mapped at the first sign-in, whatever the provider's current settings. */
  @Column({ type: 'text' })
  appUserId: string;

  @Column({ type: 'integer' })
  logins: number;

  @Column({ type: 'timestamptz', precision: 3 })
  lastLoginAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
