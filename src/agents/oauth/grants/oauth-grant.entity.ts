import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';
import type { OauthAudience, SessionMethod } from '../../../platform/principal/principal.js';

/** What a person let a client do on one project. A grant that ends is deleted. */
@Entity('oauth_grants')
export class OauthGrant {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'client_id', type: 'text' })
  clientId: string;

  /** As the person saw it. */
  @Column({ name: 'client_name', type: 'text' })
  clientName: string;

  @Column({ name: 'redirect_uri', type: 'text' })
  redirectUri: string;

  @Column('text', { array: true })
  scopes: OauthScope[];

  @Column('text')
  audience: OauthAudience;

  /** How the session began in which the person agreed. */
  @Column({ name: 'session_method', type: 'text' })
  sessionMethod: SessionMethod;

  /** The organization through whose identity provider that session began. */
  @Column({ name: 'session_org_id', type: 'text', nullable: true })
  sessionOrgId: string | null;

  @Column({ name: 'code_challenge', type: 'text' })
  codeChallenge: string;

  /** Null until the client has exchanged its code. */
  @Column({ name: 'code_used_at', type: 'timestamptz', precision: 3, nullable: true })
  codeUsedAt: Date | null;

  @Column({ name: 'access_hash', type: 'bytea', nullable: true })
  accessHash: Buffer | null;

  /** Of the present access token: a client can ask for one that may do less. */
  @Column({ name: 'access_scopes', type: 'text', array: true, nullable: true })
  accessScopes: OauthScope[] | null;

  @Column({ name: 'access_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  accessExpiresAt: Date | null;

  @Column({ name: 'refresh_hash', type: 'bytea', nullable: true })
  refreshHash: Buffer | null;

  /** Counts the refresh tokens, from 1. */
  @Column('integer', { default: 1 })
  generation: number;

  /** First use of an access token of this generation. */
  @Column({ name: 'generation_used_at', type: 'timestamptz', precision: 3, nullable: true })
  generationUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  /** Of the code, then of the refresh token. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
