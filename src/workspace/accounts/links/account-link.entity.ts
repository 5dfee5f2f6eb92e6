import { Column, Entity, PrimaryColumn } from 'typeorm';

export type LinkPurpose = 'reset_password' | 'verify_email' | 'change_email';

@Entity('account_links')
export class AccountLink {
  /** SHA-256 of the token in the link. */
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  purpose: LinkPurpose;

  /** The recipient of the link; for a change of address, the new one. */
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  endedBy: 'used' | 'replaced' | null;
}
