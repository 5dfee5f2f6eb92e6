import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';

/** Another access token of the current refresh token, for a client that repeated its request. */
@Entity('oauth_repeated_access_tokens')
export class RepeatedAccessToken {
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'text' })
  projectId: string;

  @Column({ type: 'text' })
  grantId: string;

  @Column('text', { array: true })
  scopes: OauthScope[];

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
