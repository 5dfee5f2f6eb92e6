import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SessionMethod } from '../../../platform/principal/principal.js';

@Entity('sessions')
export class Session {
  /** SHA-256 of the cookie's value. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** What the API calls the session. */
  @Column({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'method', type: 'text' })
  method: SessionMethod;

  /** The identity provider's connection that it began with, and its organization. */
  @Column({ name: 'sso_connection_id', type: 'text', nullable: true })
  ssoConnectionId?: string | null;

  @Column({ name: 'sso_org_id', type: 'text', nullable: true })
  ssoOrgId?: string | null;

  @Column({ name: 'ip', type: 'text', nullable: true })
  ip: string | null;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3 })
  lastSeenAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
