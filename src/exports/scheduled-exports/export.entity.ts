import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DatasetEnvironment, FileFormat } from '../datasets/dataset.model.js';
import type { Cursors, ExportDataset, ExportMode } from './export.model.js';
import type { Schedule } from './export-schedule.js';

/** Says what is delivered to a destination, and when. */
@Entity('exports')
export class Export {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  destinationId: string;

  @Column('jsonb')
  datasets: ExportDataset[];

  @Column('text')
  format: FileFormat;

  @Column('text')
  mode: ExportMode;

  @Column('jsonb')
  schedule: Schedule;

  @Column('text')
  environment: DatasetEnvironment;

  @Column('boolean')
  spreadsheetSafe: boolean;

  @Column('text')
  state: 'active' | 'paused';

  /** Null while it is paused or runs only on request. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextDueAt: Date | null;

  /** Up to where the last successful run delivered. Null before it and after a reset. */
  @Column('jsonb', { nullable: true })
  cursors: Cursors | null;

  /** How often the cursors were forgotten: a run that began before the last time does not write them. */
  @Column('integer')
  resets: number;

  /** Failed runs since the last successful one. */
  @Column('integer')
  consecutiveFailures: number;

  /** Its runs have the permissions of the editor, who changed it last. */
  @Column('text')
  editorKind: 'member' | 'api_key';

  @Column('text')
  editorId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
