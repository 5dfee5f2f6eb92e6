import { Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  Condition,
  EnrollmentMode,
  ExperimentPlacements,
  ExperimentStatus,
  VariantId,
} from '../../../libs/targeting/index.js';

/** Figures from which the team estimates the experiment's duration; stored as sent. */
export type DurationSettings = Record<string, number>;

@Entity('experiments')
export class Experiment {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  status: ExperimentStatus;

  @Column('text')
  displayName: string;

  @Column('text', { nullable: true })
  experimentType: string | null;

  /** Offering ids of the variants a, b, c, d. */
  @Column('jsonb')
  offerings: string[];

  @Column('integer')
  enrollmentPercentage: number;

  @Column('text')
  enrollmentMode: EnrollmentMode;

  /** Percentage of each variant; null: equal shares. */
  @Column('jsonb', { nullable: true })
  weights: number[] | null;

  /** Since when the current weights apply; null before the start. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  weightsChangedAt: Date | null;

  @Column('jsonb')
  conditions: Condition[];

  @Column('jsonb', { nullable: true })
  placements: ExperimentPlacements | null;

  @Column('text')
  primaryMetric: string;

  @Column('jsonb')
  secondaryMetrics: string[];

  @Column('jsonb', { nullable: true })
  durationSettings: DurationSettings | null;

  @Column('text', { nullable: true })
  notes: string | null;

  /** Experiments with a lower number take precedence. */
  @Column('integer')
  priority: number;

  @Column('text', { nullable: true })
  winnerVariant: VariantId | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** Time of the first start; never changes. Customers first seen later are new. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pausedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resumedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  stoppedAt: Date | null;

  /** Total milliseconds of completed runs. */
  @Column('bigint')
  ranMs: number;
}
