import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A browser in which a user has signed in. */
@Entity('known_devices')
export class KnownDevice {
  @PrimaryColumn({ type: 'text' })
  userId: string;

  /** Hash of the token in the browser's cookie. */
  @PrimaryColumn({ type: 'bytea' })
  deviceHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;
}
