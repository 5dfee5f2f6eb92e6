import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Condition, RulePlacements, RuleState } from '../../../libs/targeting/index.js';

@Entity('targeting_rules')
export class TargetingRule {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** State as stored; a schedule starts and ends by the clock. */
  @Column('text')
  state: RuleState;

  @Column('text')
  displayName: string;

  @Column('text')
  offeringId: string;

  @Column('jsonb')
  conditions: Condition[];

  @Column('jsonb', { nullable: true })
  placements: RulePlacements | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startsAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  /** Position among active and scheduled rules, or among inactive ones. */
  @Column('integer')
  position: number;

  /** Increases with every change that can affect a response. */
  @Column('integer')
  revision: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
