import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Remaining background calls to an app's store. */
@Entity('store_budgets')
export class StoreBudget {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @Column('double precision')
  tokens: number;

  @Column({ type: 'timestamptz', precision: 3 })
  refilledAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  blockedUntil: Date | null;
}

/** The same for a store that limits callers by IP address: all apps of this server share it. */
@Entity('shared_store_budgets')
export class SharedStoreBudget {
  @PrimaryColumn('text')
  store: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @Column('double precision')
  tokens: number;

  @Column({ type: 'timestamptz', precision: 3 })
  refilledAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  blockedUntil: Date | null;
}
