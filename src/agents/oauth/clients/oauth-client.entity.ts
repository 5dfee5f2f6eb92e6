import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An OAuth client. The only proof of its identity is its redirect URI. */
@Entity('oauth_clients')
export class OauthClient {
  /** `oac_…`, or the URL of a metadata document. */
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'text', array: true })
  redirectUris: string[];

  @Column({ type: 'text', nullable: true })
  clientUri: string | null;

  @Column({ type: 'text', nullable: true })
  logoUri: string | null;

  @Column({ type: 'text', array: true })
  grantTypes: string[];

  @Column({ type: 'text', nullable: true })
  applicationType: string | null;

  @Column('text', { nullable: true })
  scope: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;

  /** The document is fresh until this time; null for a client that registered itself. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  documentFreshUntil: Date | null;
}
