import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subscription of Google Play that its customer cancelled. A later change of mind does not remove it. */
@Entity('play_cancellations')
export class PlayCancellation {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  cancelledAt: Date;

  /** SHA-256 of the purchase token. */
  @PrimaryColumn('bytea')
  keyHash: Buffer;

  @Column('text')
  environment: string;

  /** The customer's answer, as Google Play names it; null: none, or an unknown one. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;
}
