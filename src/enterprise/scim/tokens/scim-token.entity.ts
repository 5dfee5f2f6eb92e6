import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A token with which an identity provider provisions an organization. */
@Entity('scim_tokens')
export class ScimToken {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  /** The first characters, which identify the token in lists. */
  @Column('text')
  prefix: string;

  @Column({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
