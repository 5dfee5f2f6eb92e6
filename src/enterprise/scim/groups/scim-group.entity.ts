import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../../libs/kernel/index.js';

/** A group of an identity provider; its members are in a table of their own. */
@Entity('scim_groups')
export class ScimGroup {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'display_name', type: 'text' })
  displayName: string;

  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId: string | null;

  /** As sent, without members. */
  @Column('jsonb')
  resource: JsonObject;

  @Column('bigint')
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
