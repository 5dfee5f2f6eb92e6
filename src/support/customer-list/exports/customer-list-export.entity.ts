import { Column, Entity, PrimaryColumn } from 'typeorm';

export const exportStates = ['running', 'ready', 'failed'] as const;
export type ExportState = (typeof exportStates)[number];

export const exportFailures = ['too_large', 'filters_outdated', 'customer_erased'] as const;
export type ExportFailure = (typeof exportFailures)[number];

/** A list of customers that is written to a file in the background. */
@Entity('customer_list_exports')
export class CustomerListExportEntity {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** Parameters of the list by name. */
  @Column('jsonb')
  filters: Record<string, string>;

  @Column('text')
  state: ExportState;

  @Column('text', { nullable: true })
  failure: ExportFailure | null;

  /** How often it had to start again. Together with `afterCustomerId`, it fences off outdated writers. */
  @Column('integer')
  restarts: number;

  /** The customer up to whom the file is written, by id. */
  @Column('text')
  afterCustomerId: string;

  @Column('integer')
  writtenRows: number;

  /** Rows when it started; null if not counted. */
  @Column('integer', { nullable: true })
  totalRows: number | null;

  @Column('integer')
  pieces: number;

  /** Bytes of the compressed pieces. */
  @Column('bigint')
  bytes: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

/** A part of an export's file, compressed with gzip. */
@Entity('customer_list_export_pieces')
export class CustomerListExportPiece {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  exportId: string;

  /** Counts from 1. */
  @PrimaryColumn('integer')
  number: number;

  @Column('bytea')
  content: Buffer;
}
