import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a key to its project. The owner is an app or an API key. */
@Entity('credential_routes')
export class CredentialRoute {
  @PrimaryColumn({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  @Column('text')
  kind: string;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'owner_id', type: 'text' })
  ownerId: string;
}
