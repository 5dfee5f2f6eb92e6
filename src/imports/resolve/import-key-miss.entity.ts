import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Records that a store did not know the key of an imported subscription. */
@Entity('import_key_misses')
export class ImportKeyMiss {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  subscriptionId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  askAgainAt: Date;
}
