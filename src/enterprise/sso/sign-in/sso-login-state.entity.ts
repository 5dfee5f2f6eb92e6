import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that waits for the answer of the identity provider. */
@Entity('sso_login_states')
export class SsoLoginState {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  connectionId: string;

  /** SHA-256 of the id of the SAML request, or of the `state` of OpenID Connect. */
  @PrimaryColumn({ type: 'bytea' })
  stateHash: Buffer;

  /** Of OpenID Connect. */
  @Column('text', { nullable: true })
  nonce: string | null;

  /** PKCE. */
  @Column({ type: 'text', nullable: true })
  sealedVerifier: string | null;

  /** Path to go on to. */
  @Column('text')
  next: string;

  /** SHA-256 of the cookie of the browser that began. */
  @Column({ type: 'bytea' })
  browserHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;
}
