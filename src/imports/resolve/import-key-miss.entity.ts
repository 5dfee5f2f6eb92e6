import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A store did not know the key of an imported subscription. */
@Entity('import_key_misses')
export class ImportKeyMiss {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'subscription_id' })
  subscriptionId: string;

  @Column({ name: 'ask_again_at', type: 'timestamptz', precision: 3 })
  askAgainAt: Date;
}
