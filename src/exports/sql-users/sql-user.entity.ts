import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Leads from a PostgreSQL role to the project whose rows the views of `tenure_v1` show it. */
@Entity('sql_users')
export class SqlUser {
  @PrimaryColumn('text')
  roleName: string;

  @Column('text')
  projectId: string;

  @Column('text')
  id: string;

  @Column('text')
  name: string;

  /** Email address of a person, id of a key or client, or `system`. */
  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** To the minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt: Date | null;

  /** When the role lost its login because its sessions kept holding locks. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  blockedAt: Date | null;
}

/** A role whose user is deleted, until the role is dropped. */
@Entity('sql_role_drops')
export class SqlRoleDrop {
  @PrimaryColumn('text')
  roleName: string;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;
}

/** A session that the server ended. The key counts it once, although every process watches. */
@Entity('sql_session_ends')
export class SqlSessionEnd {
  @PrimaryColumn('text')
  roleName: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 6 })
  startedAt: Date;

  @PrimaryColumn('integer')
  pid: number;

  @Column('text')
  reason: string;

  @Column({ type: 'timestamptz', precision: 3 })
  endedAt: Date;
}
