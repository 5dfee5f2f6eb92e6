import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refresh token that was replaced. */
@Entity('replaced_customer_tokens')
export class ReplacedCustomerToken {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  sessionId: string;

  @PrimaryColumn('integer')
  generation: number;

  @Column({ type: 'bytea' })
  refreshHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  issuedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  replacedAt: Date;

  /** The next token, sealed with this one; null once no repeated request can be answered. */
  @Column({ type: 'text', nullable: true })
  sealedSuccessor: string | null;
}
