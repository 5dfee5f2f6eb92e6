import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '../../../libs/stores/index.js';

/** A clock by which customers of the Test Store live. */
@Entity('test_clocks')
export class TestClockRow {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { name: 'frozen_at' })
  frozenAt: Date;

  @Column('timestamptz', { name: 'target_at', nullable: true })
  targetAt: Date | null;

  @Column('boolean')
  failed: boolean;

  @Column('text', { array: true })
  plan: Plan;

  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt: Date | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
