import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

const remember = statement(
  'known_devices.remember',
  `INSERT INTO known_devices (user_id, device_hash, last_used_at) VALUES ($1, $2, $3)
   ON CONFLICT (user_id, device_hash) DO UPDATE SET last_used_at = excluded.last_used_at`,
);

/** Needed because a client without cookies is a new device at each sign-in. */
const forgetOldest = statement(
  'known_devices.forget_oldest',
  `DELETE FROM known_devices WHERE user_id = $1 AND device_hash IN (
     SELECT device_hash FROM known_devices WHERE user_id = $1 ORDER BY last_used_at DESC OFFSET $2)`,
);

const ownerOf = statement(
  'known_devices.owner',
  `SELECT u.id FROM users u JOIN known_devices d ON d.user_id = u.id AND d.device_hash = $2
   WHERE u.email = $1 AND d.last_used_at > $3`,
);

@Injectable()
export class KnownDevicesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Records the use of a device. Stores at most `max` devices of the user. */
  async remember(tx: Transaction, userId: string, deviceHash: Buffer, now: Date, max: number): Promise<void> {
    await tx.query(remember, [userId, deviceHash, now]);
    await tx.query(forgetOldest, [userId, max]);
  }

  /** Returns the user with this address if they have signed in on the device since the given time; otherwise null. */
  async ownerOf(email: string, deviceHash: Buffer, since: Date): Promise<string | null> {
    return (await this.database.query<{ id: string }>(ownerOf, [email, deviceHash, since]))[0]?.id ?? null;
  }
}
