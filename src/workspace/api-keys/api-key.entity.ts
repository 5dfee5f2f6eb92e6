import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** The first characters of the key, to distinguish keys in lists. */
  @Column({ type: 'text' })
  prefix: string;

  /** Permissions and wildcards, as specified at creation. */
  @Column({ type: 'text', array: true })
  permissions: string[];

  /** SHA-256 of the key; the key itself is not stored. */
  @Column({ type: 'bytea' })
  keyHash: Buffer;

  /** Id of the user or key that created it. */
  @Column({ type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Written by servers of 0.16 only. `CredentialUsesService` has the last use. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
