import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';

/** Two hashes of some 50 ms run at once: who comes last waits about two seconds, which people still do. */
export const MAX_SIGN_INS = 64;
/** Most of the requests that a process works on are to be others. */
const LARGEST_PART = 1 / 4;
const MAX_RETRY_AFTER_S = 4;

/**
 * Bounds the sign-ins and sign-ups of a process, those under way and those that wait: each takes a slot of admission,
 * which purchases need, too. More are refused before anything is done for them.
 */
@Injectable()
export class SignInQueue {
  private inside = 0;
  private readonly max: number;

  constructor(config: Config) {
    this.max = Math.min(MAX_SIGN_INS, Math.ceil(LARGEST_PART * config.maxRequestsInFlight));
  }

  /** @throws ApiError 503 when too many are under way */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.max) {
      const retryAfterS = 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_S);
      throw new ApiError('overloaded', 'Too many people sign in at once.', { retryAfterS });
    }
    this.inside++;
    try {
      return await work();
    } finally {
      this.inside--;
    }
  }
}
