import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  /** Trimmed and in lower case. */
  @Column({ name: 'email', type: 'text' })
  email: string;

  @Column({ name: 'name', type: 'text', nullable: true })
  name: string | null;

  /** argon2id in the PHC string format; null if the user signs in only through an identity provider. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash: string | null;

  @Column({ name: 'email_verified', type: 'boolean' })
  emailVerified: boolean;

  @Column({ name: 'alert_emails', type: 'boolean' })
  alertEmails: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Who made the account, if not the person: its name follows the identity provider. */
  @Column({ name: 'origin', type: 'text', nullable: true })
  origin?: 'sso' | 'scim' | null;

  /** Null: sign-in asks for no code. */
  @Column({ name: 'two_factor_enabled_at', type: 'timestamptz', precision: 3, nullable: true })
  twoFactorEnabledAt?: Date | null;

  /** Also set before two-factor is on, between set-up and the first code. */
  @Column({ name: 'sealed_totp_secret', type: 'text', nullable: true })
  sealedTotpSecret?: string | null;

  /** Time step of the last code that was used. */
  @Column({ name: 'totp_last_step', type: 'bigint', nullable: true })
  totpLastStep?: string | null;
}

export function hasTwoFactor({ twoFactorEnabledAt }: User): boolean {
  return (twoFactorEnabledAt ?? null) !== null;
}
