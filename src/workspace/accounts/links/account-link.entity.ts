import { Column, Entity, PrimaryColumn } from 'typeorm';

export type LinkPurpose = 'reset_password' | 'verify_email' | 'change_email';

@Entity('account_links')
export class AccountLink {
  /** SHA-256 of the token in the link. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'purpose', type: 'text' })
  purpose: LinkPurpose;

  /** Where the link was sent; for a change of address the new one. */
  @Column({ name: 'email', type: 'text' })
  email: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', precision: 3, nullable: true })
  endedAt: Date | null;

  @Column({ name: 'ended_by', type: 'text', nullable: true })
  endedBy: 'used' | 'replaced' | null;
}
