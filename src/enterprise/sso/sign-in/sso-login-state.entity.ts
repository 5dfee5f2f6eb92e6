import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that waits for the answer of the identity provider. */
@Entity('sso_login_states')
export class SsoLoginState {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn({ name: 'connection_id', type: 'text' })
  connectionId: string;

  /** SHA-256 of the id of the SAML request, or of the `state` of OpenID Connect. */
  @PrimaryColumn({ name: 'state_hash', type: 'bytea' })
  stateHash: Buffer;

  /** Of OpenID Connect. */
  @Column('text', { nullable: true })
  nonce: string | null;

  /** PKCE. */
  @Column({ name: 'sealed_verifier', type: 'text', nullable: true })
  sealedVerifier: string | null;

  /** Path to go on to. */
  @Column('text')
  next: string;

  /** SHA-256 of the cookie of the browser that began. */
  @Column({ name: 'browser_hash', type: 'bytea' })
  browserHash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;
}
