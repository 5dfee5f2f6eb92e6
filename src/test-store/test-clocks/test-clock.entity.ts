import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '../../../libs/stores/index.js';

@Entity('test_clocks')
export class TestClockRow {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'timestamptz', precision: 3 })
  frozenAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  targetAt: Date | null;

  @Column('boolean')
  failed: boolean;

  @Column('bigint', { nullable: true })
  advanceMs: number | null;

  @Column('text', { nullable: true })
  failedCustomerId: string | null;

  @Column('text', { array: true })
  plan: Plan;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
