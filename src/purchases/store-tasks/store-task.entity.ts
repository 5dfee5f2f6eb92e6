import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A call to a store that must survive a crash. */
@Entity('store_tasks')
export class StoreTaskRow {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('text')
  key: string;

  @Column('json')
  detail: object;

  @Column({ name: 'mark_at', type: 'timestamptz', precision: 3, nullable: true })
  markAt: Date | null;

  @Column('integer')
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;
}
