import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a public key to the first project that used it. Outlives the app and the project. */
@Entity('public_key_owners')
export class PublicKeyOwner {
  @PrimaryColumn({ type: 'bytea' })
  keyHash: Buffer;

  @Column({ type: 'text' })
  ownerProjectId: string;
}
