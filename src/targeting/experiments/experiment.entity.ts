import { Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  Condition,
  EnrollmentMode,
  ExperimentPlacements,
  ExperimentStatus,
  VariantId,
} from '../../../libs/targeting/index.js';

/** How long the team means to run the experiment, from the figures it expects; stored as given. */
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

  /** Percent of each variant; null: equal shares. */
  @Column('jsonb', { nullable: true })
  weights: number[] | null;

  /** Since when the present weights count; null before the start. */
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

  /** Experiments with a lower number are asked first. */
  @Column('integer')
  priority: number;

  @Column('text', { nullable: true })
  winnerVariant: VariantId | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** Of the first start, for ever: who was first seen later is new. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pausedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resumedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  stoppedAt: Date | null;

  /** Milliseconds of the runs that have ended. */
  @Column('bigint')
  ranMs: number;
}
