import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RefundCondition, RefundPreference, RefundStore } from '../../../libs/targeting/index.js';

@Entity('refund_policies')
export class RefundPolicy {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** Null for the default policy, which is evaluated last. */
  @Column('integer', { nullable: true })
  position: number | null;

  @Column('text')
  displayName: string;

  @Column('text', { array: true })
  stores: RefundStore[];

  @Column('jsonb')
  conditions: RefundCondition[];

  @Column('text')
  preference: RefundPreference;

  @Column('integer')
  holdMinutes: number;

  @Column('boolean')
  isDefault: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
