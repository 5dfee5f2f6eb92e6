import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A program that can ask people for access. It proves nothing about itself but where its answers go. */
@Entity('oauth_clients')
export class OauthClient {
  /** `oac_…`, or the address of a metadata document. */
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column({ name: 'redirect_uris', type: 'text', array: true })
  redirectUris: string[];

  @Column({ name: 'client_uri', type: 'text', nullable: true })
  clientUri: string | null;

  @Column({ name: 'logo_uri', type: 'text', nullable: true })
  logoUri: string | null;

  @Column({ name: 'grant_types', type: 'text', array: true })
  grantTypes: string[];

  @Column({ name: 'application_type', type: 'text', nullable: true })
  applicationType: string | null;

  @Column('text', { nullable: true })
  scope: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;

  /** Until when the document need not be fetched again; null for a client that registered itself. */
  @Column({ name: 'document_fresh_until', type: 'timestamptz', precision: 3, nullable: true })
  documentFreshUntil: Date | null;
}
