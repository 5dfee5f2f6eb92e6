import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SessionMethod } from '../../../platform/principal/principal.js';

/** A sign-in that still needs its code. Deleted after the correct code or the fifth wrong one. */
@Entity('login_attempts')
export class LoginAttempt {
  /** SHA-256 of the login token. */
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'text' })
  userId: string;

  /** Method of the session to be started. */
  @Column({ type: 'text' })
  method: SessionMethod;

  @Column({ type: 'smallint' })
  wrongCodes: number;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
