import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VariantId } from '../../../libs/targeting/index.js';

/**
 * A customer's variant of an experiment. It stays the same while the experiment runs, whatever changes are made to it.
 */
@Entity('experiment_enrollments')
export class ExperimentEnrollment {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  customerId: string;

  @PrimaryColumn('text')
  experimentId: string;

  @Column('text')
  variant: VariantId;

  @Column({ type: 'timestamptz', precision: 3 })
  enrolledAt: Date;

  /** The id used in the request. */
  @Column('text')
  appUserId: string;

  @Column('text', { nullable: true })
  appId: string | null;

  @Column('text', { nullable: true })
  platform: string | null;

  @Column('text', { nullable: true })
  country: string | null;

  @Column('boolean')
  isSandbox: boolean;

  /** Two enrollments in this experiment now belong to one merged customer; results exclude the customer. */
  @Column('boolean')
  merged: boolean;

  /** Set if a merged customer continues in another live experiment; results exclude the customer. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  supersededAt: Date | null;
}
