import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A browser in which a person has signed in. */
@Entity('known_devices')
export class KnownDevice {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  /** Hash of the token in the browser's cookie. */
  @PrimaryColumn({ name: 'device_hash', type: 'bytea' })
  deviceHash: Buffer;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;
}
