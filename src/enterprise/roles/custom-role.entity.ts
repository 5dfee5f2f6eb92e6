import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CustomRoleId, Permission } from '../../platform/principal/permissions.js';

/** A role with chosen permissions. */
@Entity('custom_roles')
export class CustomRole {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: CustomRoleId;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Sorted. `read_write` includes `read`. */
  @Column('text', { array: true })
  scopes: Permission[];

  /** Null if the role is valid in every project of the organization. */
  @Column('text', { nullable: true })
  projectId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
