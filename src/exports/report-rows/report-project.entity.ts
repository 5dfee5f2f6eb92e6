import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The counter of changed report rows, and the progress of building them. The rollup locks this row. */
@Entity('report_projects')
export class ReportProject {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  unusedSince: Date | null;

  @Column({ type: 'bigint' })
  seq: number;

  /** Never moves back, even if the clock does. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  changedAt: Date | null;

  /** When all rows were complete for the first time; null until then. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  builtAt: Date | null;

  /** Customers up to this id are built; null: all are. */
  @Column({ type: 'text', nullable: true })
  builtUntil: string | null;

  /** A build waits for transactions older than this one. */
  @Column({ type: 'bigint', nullable: true })
  buildAfter: number | null;

  @Column({ type: 'integer' })
  codeVersion: number;
}

/** A customer whose report rows may have changed, or a product or entitlement whose customers follow. */
@Entity('report_changes')
export class ReportChange {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'text', nullable: true })
  customerId: string | null;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column({ type: 'text', nullable: true })
  storeIdentifier: string | null;

  @Column({ type: 'text', nullable: true })
  entitlementId: string | null;

  @Column({ type: 'text' })
  doneUntil: string;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;
}

/** The key of a row that no longer exists. */
@Entity('report_deletions')
export class ReportDeletion {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  seq: number;

  @PrimaryColumn({ type: 'text' })
  dataset: string;

  @PrimaryColumn({ type: 'jsonb' })
  key: Record<string, unknown>;

  @Column({ type: 'timestamptz', precision: 3 })
  deletedAt: Date;
}
