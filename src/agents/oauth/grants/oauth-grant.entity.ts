import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';
import type { OauthAudience, SessionMethod } from '../../../platform/principal/principal.js';

/** What a person let a client do on one project. A grant that ends is deleted. */
@Entity('oauth_grants')
export class OauthGrant {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  clientId: string;

  /** As the person saw it. */
  @Column({ type: 'text' })
  clientName: string;

  @Column({ type: 'text' })
  redirectUri: string;

  @Column('text', { array: true })
  scopes: OauthScope[];

  @Column('text')
  audience: OauthAudience;

  /** How the session began in which the person agreed. */
  @Column({ type: 'text' })
  sessionMethod: SessionMethod;

  /** The organization through whose identity provider that session began. */
  @Column({ type: 'text', nullable: true })
  sessionOrgId: string | null;

  @Column({ type: 'text' })
  codeChallenge: string;

  /** Null until the client has exchanged its code. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  codeUsedAt: Date | null;

  @Column({ type: 'bytea', nullable: true })
  accessHash: Buffer | null;

  /** Of the present access token: a client can ask for one that may do less. */
  @Column({ type: 'text', array: true, nullable: true })
  accessScopes: OauthScope[] | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accessExpiresAt: Date | null;

  @Column({ type: 'bytea', nullable: true })
  refreshHash: Buffer | null;

  /** Counts the refresh tokens, from 1. */
  @Column('integer', { default: 1 })
  generation: number;

  /** First use of an access token of this generation. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  generationUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  /** Of the code, then of the refresh token. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
