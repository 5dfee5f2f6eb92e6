import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SavedParameters } from './saved-parameters.policy.js';

/** A question to a chart that people ask again. */
@Entity('saved_charts')
export class SavedChart {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** The member whose private chart it is; null if everyone in the project sees it. Ends with the membership. */
  @Column('text', { nullable: true })
  ownerId: string | null;

  @Column('text')
  displayName: string;

  @Column('text')
  chartName: string;

  @Column('jsonb')
  parameters: SavedParameters;

  /** Charts with smaller positions come first on a board. Not unique. */
  @Column('integer')
  position: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
