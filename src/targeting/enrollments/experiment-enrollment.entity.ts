import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VariantId } from '../../../libs/targeting/index.js';

/** A customer's variant of an experiment. It stays the same while the experiment runs, whatever is changed of it. */
@Entity('experiment_enrollments')
export class ExperimentEnrollment {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'customer_id' })
  customerId: string;

  @PrimaryColumn('text', { name: 'experiment_id' })
  experimentId: string;

  @Column('text')
  variant: VariantId;

  @Column({ name: 'enrolled_at', type: 'timestamptz', precision: 3 })
  enrolledAt: Date;

  /** Of the request. */
  @Column('text', { name: 'app_user_id' })
  appUserId: string;

  @Column('text', { name: 'app_id', nullable: true })
  appId: string | null;

  @Column('text', { nullable: true })
  platform: string | null;

  @Column('text', { nullable: true })
  country: string | null;

  @Column('boolean', { name: 'is_sandbox' })
  isSandbox: boolean;

  /** Two rows of this experiment became one customer's: results leave the person out. */
  @Column('boolean')
  merged: boolean;

  /** The customer goes on in another live experiment since two customers became one; results leave them out. */
  @Column({ name: 'superseded_at', type: 'timestamptz', precision: 3, nullable: true })
  supersededAt: Date | null;
}
