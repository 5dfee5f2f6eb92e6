import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that waits for the identity provider's response. */
@Entity('sso_login_states')
export class SsoLoginState {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  connectionId: string;

  /** SHA-256 of the SAML request's id, or of the OpenID Connect `state`. */
  @PrimaryColumn({ type: 'bytea' })
  stateHash: Buffer;

  /** OpenID Connect only. */
  @Column('text', { nullable: true })
  nonce: string | null;

  /** PKCE verifier. */
  @Column({ type: 'text', nullable: true })
  sealedVerifier: string | null;

  /** Path to open after the sign-in. */
  @Column('text')
  next: string;

  /** SHA-256 of the cookie of the browser that started the sign-in. */
  @Column({ type: 'bytea' })
  browserHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;
}
