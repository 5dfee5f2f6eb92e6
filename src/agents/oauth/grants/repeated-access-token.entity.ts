import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';

/** An access token of the current refresh token beside the first one, for a client that repeated its request. */
@Entity('oauth_repeated_access_tokens')
export class RepeatedAccessToken {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'grant_id', type: 'text' })
  grantId: string;

  @Column('text', { array: true })
  scopes: OauthScope[];

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
