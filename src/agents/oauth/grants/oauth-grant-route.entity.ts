import { Column, Entity, PrimaryColumn } from 'typeorm';

export type GrantSecret = 'code' | 'access' | 'refresh';

/** Maps the hash of a code, an access token or a family of refresh tokens to its grant. */
@Entity('oauth_grant_routes')
export class OauthGrantRoute {
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'text' })
  projectId: string;

  @Column({ type: 'text' })
  grantId: string;

  @Column('text')
  kind: GrantSecret;
}
