import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectRole } from '../../../platform/principal/permissions.js';

/** An open invite, expired ones included. Accepted and revoked ones are deleted; the audit log has them. */
@Entity('invites')
export class Invite {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  /** Normalised; at most one invite of a project has it. */
  @Column({ name: 'email', type: 'text' })
  email: string;

  @Column({ name: 'role', type: 'text' })
  role: ProjectRole;

  /** The person who invited, whose account may be gone. */
  @Column({ name: 'invited_by', type: 'text' })
  invitedBy: string;

  /** SHA-256 of the token in the newest link, the only one that works. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_sent_at', type: 'timestamptz', precision: 3 })
  lastSentAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
