import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many background calls an app's store may still get. */
@Entity('store_budgets')
export class StoreBudget {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @Column('double precision')
  tokens: number;

  @Column({ name: 'refilled_at', type: 'timestamptz', precision: 3 })
  refilledAt: Date;

  @Column({ name: 'blocked_until', type: 'timestamptz', precision: 3, nullable: true })
  blockedUntil: Date | null;
}

/** The same for a store that limits callers by their address: all apps of this server share it. */
@Entity('shared_store_budgets')
export class SharedStoreBudget {
  @PrimaryColumn('text')
  store: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @Column('double precision')
  tokens: number;

  @Column({ name: 'refilled_at', type: 'timestamptz', precision: 3 })
  refilledAt: Date;

  @Column({ name: 'blocked_until', type: 'timestamptz', precision: 3, nullable: true })
  blockedUntil: Date | null;
}
