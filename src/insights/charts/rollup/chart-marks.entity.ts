import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The lockable row of a project, with the progress of its days and its rebuild. */
@Entity('chart_projects')
export class ChartProject {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column({ type: 'date', nullable: true })
  closedUntil: string | null;

  @Column({ type: 'text', nullable: true })
  rebuiltUntil: string | null;

  @Column({ type: 'boolean' })
  hasCohorts: boolean;

  @Column({ type: 'boolean' })
  hasExactFacts: boolean;

  /** Whether all past days were summed by the first days of their customers. */
  @Column({ type: 'boolean' })
  hasCohortDays: boolean;

  /** Levels whose cohorts are summed by sets of values. */
  @Column({ type: 'text', array: true })
  cohortLevels: string[];

  /** Levels that are to be summed. A level in neither list has too many different sets. */
  @Column({ type: 'text', array: true })
  missingCohortLevels: string[];

  /** The sums of active customers are stored from this day, null for none, */
  @Column({ type: 'date', nullable: true })
  activeDaysFrom: string | null;

  /** until this day, except for marked days. */
  @Column({ type: 'date', nullable: true })
  activeDaysUntil: string | null;

  /** A day whose active customers were counted before it ended. */
  @Column({ type: 'date', nullable: true })
  activeToday: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  activeTodayAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checkDueAt: Date | null;

  @Column({ type: 'text' })
  checkedUntil: string;

  /** When the numbers below were counted, some of them in a sample. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  countedAt: Date | null;

  @Column({ type: 'bigint' })
  customers: number;

  @Column({ type: 'bigint' })
  facts: number;

  @Column({ type: 'bigint' })
  payers: number;

  @Column({ type: 'bigint' })
  runs: number;

  /** Days on which customers were active. */
  @Column({ type: 'bigint' })
  activeDays: number;

  /** Views of paywalls. */
  @Column({ type: 'bigint' })
  views: number;
}

/** A boundary between two pieces of a project's customers. */
@Entity('chart_pieces')
export class ChartPiece {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  fromCustomerId: string;
}

/** A project whose facts must be derived again. */
@Entity('chart_rebuilds')
export class ChartRebuild {
  @PrimaryColumn({ type: 'text' })
  projectId: string;
}

/** A product whose customers must be derived again. */
@Entity('chart_product_changes')
export class ChartProductChange {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  productId: string;

  @Column({ type: 'text' })
  storeIdentifier: string;

  @Column({ type: 'boolean' })
  isRenamed: boolean;

  @Column({ type: 'text' })
  doneUntil: string;
}

/** A value of a chosen attribute that charts count separately. */
@Entity('chart_attribute_values')
export class ChartAttributeValue {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  name: string;

  @PrimaryColumn({ type: 'uuid' })
  valueHash: string;
}

/** A past day whose facts have changed since they were summed. */
@Entity('chart_dirty_days')
export class ChartDirtyDay {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ type: 'date' })
  day: string;
}
