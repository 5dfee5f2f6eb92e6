import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VariantId } from '../../../libs/targeting/index.js';

/** A customer's variant of an experiment. It stays the same while the experiment runs, whatever is changed of it. */
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

  /** Of the request. */
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

  /** Two rows of this experiment became one customer's: results leave the person out. */
  @Column('boolean')
  merged: boolean;

  /** The customer goes on in another live experiment since two customers became one; results leave them out. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  supersededAt: Date | null;
}
