import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a key to its project. The owner is an app or an API key. */
@Entity('credential_routes')
export class CredentialRoute {
  @PrimaryColumn({ type: 'bytea' })
  keyHash: Buffer;

  @Column('text')
  kind: string;

  @Column({ type: 'text' })
  projectId: string;

  @Column({ type: 'text' })
  ownerId: string;
}
