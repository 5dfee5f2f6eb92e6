import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Work for an app, mostly a call to its store, that must survive a crash. */
@Entity('store_tasks')
export class StoreTaskRow {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  appId: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('text')
  key: string;

  @Column('json')
  detail: object;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  markAt: Date | null;

  @Column('integer')
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'text', nullable: true })
  lastError: string | null;
}
