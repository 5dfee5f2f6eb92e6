import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Lets an identity provider provision an organization. */
@Entity('scim_tokens')
export class ScimToken {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  /** The first characters, to tell tokens apart. */
  @Column('text')
  prefix: string;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
