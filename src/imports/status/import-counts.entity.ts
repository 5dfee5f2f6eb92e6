import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImportCounts } from './import-counts.js';

/** The counts of a large project whose import status is being watched. */
@Entity('import_counts')
export class ImportCountsRow {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @Column({ name: 'counted_at', type: 'timestamptz', precision: 3 })
  countedAt: Date;

  @Column({ name: 'watched_until', type: 'timestamptz', precision: 3 })
  watchedUntil: Date;

  @Column('json')
  counts: ImportCounts;
}
