import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the daily comparison of a project has come. */
@Entity('self_checks')
export class SelfCheck {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ name: 'after_customer_id', type: 'text' })
  afterCustomerId: string;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;
}
