import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refresh token that was replaced. */
@Entity('replaced_oauth_tokens')
export class ReplacedOauthToken {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  grantId: string;

  @PrimaryColumn('integer')
  generation: number;

  @Column({ type: 'bytea' })
  refreshHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  issuedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  replacedAt: Date;

  /** Sealed with this token; null once a repeated request is no longer answered. */
  @Column({ type: 'text', nullable: true })
  sealedSuccessor: string | null;
}
