import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a public key to the project that used it first. Outlives the app and the project. */
@Entity('public_key_owners')
export class PublicKeyOwner {
  @PrimaryColumn({ type: 'bytea' })
  keyHash: Buffer;

  @Column({ type: 'text' })
  ownerProjectId: string;
}
