import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SessionMethod } from '../../../platform/principal/principal.js';

@Entity('sessions')
export class Session {
  /** SHA-256 of the cookie's value. */
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  /** Id of the session in the API. */
  @Column({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  method: SessionMethod;

  /** The identity provider's connection that started it, and its organization. */
  @Column({ type: 'text', nullable: true })
  ssoConnectionId?: string | null;

  @Column({ type: 'text', nullable: true })
  ssoOrgId?: string | null;

  @Column({ type: 'text', nullable: true })
  ip: string | null;

  @Column({ type: 'text', nullable: true })
  userAgent: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
