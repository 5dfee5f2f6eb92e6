import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';
import type { OauthAudience, SessionMethod } from '../../../platform/principal/principal.js';

/** A person's authorization of a client on one project. Deleted when it ends. */
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

  /** Name shown to the person. */
  @Column({ type: 'text' })
  clientName: string;

  @Column({ type: 'text' })
  redirectUri: string;

  @Column('text', { array: true })
  scopes: OauthScope[];

  @Column('text')
  audience: OauthAudience;

  /** Sign-in method of the session in which the person consented. */
  @Column({ type: 'text' })
  sessionMethod: SessionMethod;

  /** The organization whose identity provider opened that session. */
  @Column({ type: 'text', nullable: true })
  sessionOrgId: string | null;

  @Column({ type: 'text' })
  codeChallenge: string;

  /** Null until the client has exchanged its code. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  codeUsedAt: Date | null;

  @Column({ type: 'bytea', nullable: true })
  accessHash: Buffer | null;

  /** Scopes of the current access token. A client can request fewer than the grant has. */
  @Column({ type: 'text', array: true, nullable: true })
  accessScopes: OauthScope[] | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accessExpiresAt: Date | null;

  @Column({ type: 'bytea', nullable: true })
  refreshHash: Buffer | null;

  /** Number of the current refresh token, starting at 1. */
  @Column('integer', { default: 1 })
  generation: number;

  /** First use of an access token of this generation. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  generationUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Written by servers of 0.16 only. `CredentialUsesService` has the last use. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  /** Expiration of the code, then of the refresh token. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
