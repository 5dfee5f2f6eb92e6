import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of a project's daily comparison. */
@Entity('self_checks')
export class SelfCheck {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ type: 'text' })
  afterCustomerId: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;
}
