import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SignInMethod } from './sign-in-methods.js';

@Entity('customer_sessions')
export class CustomerSession {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'app_id', type: 'text' })
  appId: string;

  @Column({ name: 'app_user_id', type: 'text' })
  appUserId: string;

  @Column('text')
  method: SignInMethod;

  /** Null for an anonymous session. */
  @Column({ name: 'provider_id', type: 'text', nullable: true })
  providerId: string | null;

  @Column('text', { nullable: true })
  subject: string | null;

  @Column({ name: 'family_hash', type: 'bytea' })
  familyHash: Buffer;

  @Column({ name: 'refresh_hash', type: 'bytea' })
  refreshHash: Buffer;

  /** Counts the refresh tokens, from 1. */
  @Column('integer', { default: 1 })
  generation: number;

  /** First use of an access token of this generation. */
  @Column({ name: 'generation_used_at', type: 'timestamptz', precision: 3, nullable: true })
  generationUsedAt: Date | null;

  @Column({ name: 'signed_in_at', type: 'timestamptz', precision: 3 })
  signedInAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
