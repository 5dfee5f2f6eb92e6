import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ApiError } from '../../platform/http/errors/api-error.js';

@Entity('users')
export class User {
  @PrimaryColumn({ type: 'text' })
  id: string;

  /** Trimmed and in lower case. */
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'text', nullable: true })
  name: string | null;

  /** argon2id in the PHC string format; null if the user signs in only through an identity provider. */
  @Column({ type: 'text', nullable: true })
  passwordHash: string | null;

  @Column({ type: 'boolean' })
  emailVerified: boolean;

  @Column({ type: 'boolean' })
  alertEmails: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Creator of the account, if not the user: its name follows the identity provider. */
  @Column({ type: 'text', nullable: true })
  origin?: 'sso' | 'scim' | null;

  /** Null: sign-in requires no code. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  twoFactorEnabledAt?: Date | null;

  /** Also set before two-factor is on, between set-up and the first code. */
  @Column({ type: 'text', nullable: true })
  sealedTotpSecret?: string | null;

  /** Time step of the last code that was used. */
  @Column({ type: 'bigint', nullable: true })
  totpLastStep?: string | null;
}

export function hasTwoFactor({ twoFactorEnabledAt }: User): boolean {
  return (twoFactorEnabledAt ?? null) !== null;
}

/** The session of a deleted account is no longer valid. */
export function accountGone(): ApiError {
  return new ApiError('unauthenticated', 'The account no longer exists.');
}
