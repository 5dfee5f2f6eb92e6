import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CustomerSort } from '../customer-filters.query.js';

/** Filters and an order that the project's people use again. */
@Entity('customer_lists')
export class CustomerListEntity {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  displayName: string;

  /** Parameters of the list by name. */
  @Column('jsonb')
  filters: Record<string, string>;

  @Column('text')
  sort: CustomerSort;

  @Column('text')
  sortOrder: 'asc' | 'desc';

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
