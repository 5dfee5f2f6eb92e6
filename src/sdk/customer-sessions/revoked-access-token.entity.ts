import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('revoked_access_tokens')
export class RevokedAccessToken {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  /** `jti` of the token. */
  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
