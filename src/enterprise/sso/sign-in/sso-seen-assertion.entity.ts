import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An assertion that was accepted, and is not accepted again. */
@Entity('sso_seen_assertions')
export class SsoSeenAssertion {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  connectionId: string;

  /** SHA-256 of its id. */
  @PrimaryColumn({ type: 'bytea' })
  assertionHash: Buffer;

  /** When it could not be accepted anyway. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
