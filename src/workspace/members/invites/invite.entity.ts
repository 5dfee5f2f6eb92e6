import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectRole } from '../../../platform/principal/permissions.js';

/** An open invite, possibly expired. Accepted and revoked ones are deleted; the audit log records them. */
@Entity('invites')
export class Invite {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  id: string;

  /** Normalised; unique within the project. */
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'text' })
  role: ProjectRole;

  /** The inviting user, whose account may be gone. */
  @Column({ type: 'text' })
  invitedBy: string;

  /** SHA-256 of the token in the newest link, the only one that works. */
  @Column({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastSentAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
