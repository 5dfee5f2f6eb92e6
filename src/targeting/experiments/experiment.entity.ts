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
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  status: ExperimentStatus;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('text', { name: 'experiment_type', nullable: true })
  experimentType: string | null;

  /** Offering ids of the variants a, b, c, d. */
  @Column('jsonb')
  offerings: string[];

  @Column('integer', { name: 'enrollment_percentage' })
  enrollmentPercentage: number;

  @Column('text', { name: 'enrollment_mode' })
  enrollmentMode: EnrollmentMode;

  /** Percent of each variant; null: equal shares. */
  @Column('jsonb', { nullable: true })
  weights: number[] | null;

  /** Since when the present weights count; null before the start. */
  @Column({ name: 'weights_changed_at', type: 'timestamptz', precision: 3, nullable: true })
  weightsChangedAt: Date | null;

  @Column('jsonb')
  conditions: Condition[];

  @Column('jsonb', { nullable: true })
  placements: ExperimentPlacements | null;

  @Column('text', { name: 'primary_metric' })
  primaryMetric: string;

  @Column('jsonb', { name: 'secondary_metrics' })
  secondaryMetrics: string[];

  @Column('jsonb', { name: 'duration_settings', nullable: true })
  durationSettings: DurationSettings | null;

  @Column('text', { nullable: true })
  notes: string | null;

  /** Experiments with a lower number are asked first. */
  @Column('integer')
  priority: number;

  @Column('text', { name: 'winner_variant', nullable: true })
  winnerVariant: VariantId | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** Of the first start, for ever: who was first seen later is new. */
  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ name: 'paused_at', type: 'timestamptz', precision: 3, nullable: true })
  pausedAt: Date | null;

  @Column({ name: 'resumed_at', type: 'timestamptz', precision: 3, nullable: true })
  resumedAt: Date | null;

  @Column({ name: 'stopped_at', type: 'timestamptz', precision: 3, nullable: true })
  stoppedAt: Date | null;

  /** Milliseconds of the runs that have ended. */
  @Column('bigint', { name: 'ran_ms' })
  ranMs: number;
}
