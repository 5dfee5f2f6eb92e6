import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SignInMethod } from './sign-in-methods.js';

@Entity('customer_sessions')
export class CustomerSession {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  appUserId: string;

  @Column('text')
  method: SignInMethod;

  /** Null for an anonymous session. */
  @Column({ type: 'text', nullable: true })
  providerId: string | null;

  @Column('text', { nullable: true })
  subject: string | null;

  @Column({ type: 'bytea' })
  familyHash: Buffer;

  @Column({ type: 'bytea' })
  refreshHash: Buffer;

  /** Number of the current refresh token, starting at 1. */
  @Column('integer', { default: 1 })
  generation: number;

  /** When an access token of this generation was first used. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  generationUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  signedInAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
