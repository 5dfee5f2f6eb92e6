import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SessionMethod } from '../../../platform/principal/principal.js';

/** A sign-in that still needs its code. Deleted once the code came, or with the fifth wrong one. */
@Entity('login_attempts')
export class LoginAttempt {
  /** SHA-256 of the login token. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** How the session will have begun. */
  @Column({ name: 'method', type: 'text' })
  method: SessionMethod;

  @Column({ name: 'wrong_codes', type: 'smallint' })
  wrongCodes: number;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
