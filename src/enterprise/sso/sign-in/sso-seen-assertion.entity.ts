import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An assertion that was accepted, and is not accepted again. */
@Entity('sso_seen_assertions')
export class SsoSeenAssertion {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn({ name: 'connection_id', type: 'text' })
  connectionId: string;

  /** SHA-256 of its id. */
  @PrimaryColumn({ name: 'assertion_hash', type: 'bytea' })
  assertionHash: Buffer;

  /** When it could not be accepted anyway. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
