import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A purchase whose owner was deleted, so that late store notifications do not create a customer for it. */
@Entity('erased_purchases')
export class ErasedPurchase {
  @PrimaryColumn('text')
  projectId: string;

  /** SHA-256 of environment and store key. */
  @PrimaryColumn('bytea')
  keyHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  erasedAt: Date;
}
