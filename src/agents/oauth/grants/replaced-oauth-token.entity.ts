import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refresh token that was replaced. */
@Entity('replaced_oauth_tokens')
export class ReplacedOauthToken {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'grant_id', type: 'text' })
  grantId: string;

  @PrimaryColumn('integer')
  generation: number;

  @Column({ name: 'refresh_hash', type: 'bytea' })
  refreshHash: Buffer;

  @Column({ name: 'issued_at', type: 'timestamptz', precision: 3 })
  issuedAt: Date;

  @Column({ name: 'replaced_at', type: 'timestamptz', precision: 3 })
  replacedAt: Date;

  /** Sealed with this token; null once no repetition can be answered. */
  @Column({ name: 'sealed_successor', type: 'text', nullable: true })
  sealedSuccessor: string | null;
}
