import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';

/** Two hashes of about 50 ms run at once, so the last in line waits about two seconds, which is acceptable. */
export const MAX_SIGN_INS = 64;
/** Maximum share of a process's requests that may be sign-ins. */
const LARGEST_PART = 1 / 4;
const MAX_RETRY_AFTER_S = 4;

/**
 * Limits running and waiting sign-ins and sign-ups: each occupies an admission slot that purchases need too. Excess
 * ones are refused before any work.
 */
@Injectable()
export class SignInQueueService {
  private inside = 0;
  private readonly max: number;

  constructor(config: Config) {
    this.max = Math.min(MAX_SIGN_INS, Math.ceil(LARGEST_PART * config.maxRequestsInFlight));
  }

  /** @throws ApiError 503 if there are too many */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.max) {
      const retryAfterS = 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_S);
      throw new ApiError('overloaded', 'Too many sign-ins at once.', { retryAfterS });
    }
    this.inside++;
    try {
      return await work();
    } finally {
      this.inside--;
    }
  }
}
