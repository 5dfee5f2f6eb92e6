import { Column, Entity, PrimaryColumn } from 'typeorm';

export type GrantSecret = 'code' | 'access' | 'refresh';

/** Maps the hash of a code, an access token or a family of refresh tokens to its grant. */
@Entity('oauth_grant_routes')
export class OauthGrantRoute {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'grant_id', type: 'text' })
  grantId: string;

  @Column('text')
  kind: GrantSecret;
}
