import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('revoked_access_tokens')
export class RevokedAccessToken {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  /** `jti` of the token. */
  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
