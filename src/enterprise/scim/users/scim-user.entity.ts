import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../../libs/kernel/index.js';

/** A person as an identity provider describes them. */
@Entity('scim_users')
export class ScimUser {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  /** Id of the account; null for a user that was never active. */
  @Column({ type: 'text', nullable: true })
  userId: string | null;

  @Column({ type: 'text' })
  userName: string;

  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  @Column('boolean')
  active: boolean;

  /** The effective address, in lower case. */
  @Column('text', { nullable: true })
  email: string | null;

  /** As sent, without the server's attributes. */
  @Column('jsonb')
  resource: JsonObject;

  @Column('bigint')
  version: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
