import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '../../../libs/stores/index.js';

@Entity('test_clocks')
export class TestClockRow {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column({ name: 'frozen_at', type: 'timestamptz', precision: 3 })
  frozenAt: Date;

  @Column({ name: 'target_at', type: 'timestamptz', precision: 3, nullable: true })
  targetAt: Date | null;

  @Column('boolean')
  failed: boolean;

  @Column('bigint', { name: 'advance_ms', nullable: true })
  advanceMs: number | null;

  @Column('text', { name: 'failed_customer_id', nullable: true })
  failedCustomerId: string | null;

  @Column('text', { array: true })
  plan: Plan;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
