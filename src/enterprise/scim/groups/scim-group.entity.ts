import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../../libs/kernel/index.js';

/** A group of an identity provider. Its members are in a separate table. */
@Entity('scim_groups')
export class ScimGroup {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text' })
  displayName: string;

  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  /** As sent, but without members. */
  @Column('jsonb')
  resource: JsonObject;

  @Column('bigint')
  version: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
