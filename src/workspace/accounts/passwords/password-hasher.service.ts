import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimit } from './concurrency-limit.js';

/** OWASP's recommended minimum for argon2id: 19 MiB, two passes, one thread. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Hash of a discarded random password, created with the current parameters. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$mc9Pef0V7JklxGwBP4z8JA$ROAPJMF3Qwl2ZBkAPWBdyiK/tQ0sHwaofU0EiTxSiO8';

/** Each hash needs 19 MiB, a core and one of Node's four pool threads, which DNS lookups also need. */
const MAX_AT_ONCE = 2;

/** Passwords as argon2id (RFC 9106) in the PHC string format. */
@Injectable()
export class PasswordHasherService {
  private readonly limit = new ConcurrencyLimit(MAX_AT_ONCE);

  hash(password: string): Promise<string> {
    return this.limit.run(() => hash(password, PARAMETERS));
  }

  /**
   * True if `password` matches `stored`. Without a stored hash it returns false after the same work, so that timing
   * does not reveal which addresses have an account.
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const matches = await this.limit.run(() => verify(stored ?? DUMMY_HASH, password));
    return matches && stored !== null;
  }

  isOutdated(stored: string): boolean {
    return !stored.startsWith(CURRENT_PREFIX);
  }
}
