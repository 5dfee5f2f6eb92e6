import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An accepted assertion, which must not be accepted again. */
@Entity('sso_seen_assertions')
export class SsoSeenAssertion {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  connectionId: string;

  /** SHA-256 of the assertion's id. */
  @PrimaryColumn({ type: 'bytea' })
  assertionHash: Buffer;

  /** After this time the assertion is rejected anyway. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
