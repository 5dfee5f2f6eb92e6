import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  /** The first characters of the key, to distinguish keys in lists. */
  @Column({ name: 'prefix', type: 'text' })
  prefix: string;

  /** Permissions and wildcards, as they were given. */
  @Column({ name: 'permissions', type: 'text', array: true })
  permissions: string[];

  /** SHA-256 of the key; the key itself is not stored. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  /** Id of the person or of the key that created it. */
  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
