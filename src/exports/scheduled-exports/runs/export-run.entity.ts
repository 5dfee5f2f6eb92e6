import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Cursors, ExportMode } from '../export.model.js';
import type {
  ManifestFile,
  ModeReason,
  RunErrorCode,
  RunState,
  RunTrigger,
  RunUpload,
} from './export-run.model.js';

/** One delivery of an export. */
@Entity('export_runs')
export class ExportRun {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  exportId: string;

  @Column('text')
  destinationId: string;

  @Column('text')
  state: RunState;

  @Column('text')
  trigger: RunTrigger;

  @Column('text')
  requestedMode: ExportMode;

  /** The mode that the run delivers in: as requested until rows are read. */
  @Column('text')
  mode: ExportMode;

  @Column('text', { nullable: true })
  modeReason: ModeReason | null;

  @Column('integer')
  attempt: number;

  /** Number of processes that have taken the run so far. A process that finds another number has lost it. */
  @Column('integer')
  claims: number;

  /** When the next process may take it: to continue it, or to abort what an ended run has left. Null: nothing to do. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  snapshotAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dataUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;

  /** Place of the destination at the time of the names. */
  @Column('text', { nullable: true })
  place: string | null;

  @Column('text', { nullable: true })
  prefix: string | null;

  /** Unix seconds in the names of files. No other run writes names with it to the same place and prefix. */
  @Column('bigint', { nullable: true })
  nameSecond: number | null;

  /** A replica has canceled the read of an earlier attempt. */
  @Column('boolean')
  isPrimaryOnly: boolean;

  @Column('bigint')
  rows: number;

  @Column('bigint')
  bytes: number;

  @Column('jsonb')
  files: ManifestFile[];

  /** Uploads that are neither completed nor aborted. */
  @Column('jsonb')
  uploads: RunUpload[];

  /** The bytes of the manifest, the same in each process that writes it. */
  @Column('text', { nullable: true })
  manifest: string | null;

  /** The export's cursors once the run has succeeded, unless they were reset since. */
  @Column('jsonb', { nullable: true })
  cursors: { resets: number; after: Cursors } | null;

  @Column('jsonb')
  warnings: string[];

  @Column('text', { nullable: true })
  errorCode: RunErrorCode | null;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
