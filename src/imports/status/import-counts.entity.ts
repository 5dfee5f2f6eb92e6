import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImportCounts } from './import-counts.js';

/** Counts of a large project whose import status is being watched. */
@Entity('import_counts')
export class ImportCountsRow {
  @PrimaryColumn('text')
  projectId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  countedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  watchedUntil: Date;

  @Column('json')
  counts: ImportCounts;
}
