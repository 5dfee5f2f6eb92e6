import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Feature } from './features.js';
import { InvalidLicence, type Licence, readLicence } from './licence-key.js';
import { trustedKeys } from './licence-tools.js';
import { developmentStatus, invalidStatus, type LicenceStatus, statusAt } from './licence.policy.js';

const CACHE_MS = 60_000;

/** What the server's licence permits, evaluated at each call. */
@Injectable()
export class LicenceService {
  private readonly licence: Licence | InvalidLicence | null;
  private cached: { status: LicenceStatus; untilMs: number } | null = null;

  constructor(
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.licence = config.licenseKey === null ? null : this.read(config.licenseKey);
  }

  get status(): LicenceStatus {
    const nowMs = this.clock.nowMs();
    if (this.cached === null || nowMs >= this.cached.untilMs || nowMs < this.cached.untilMs - CACHE_MS)
      this.cached = { status: this.statusAt(nowMs), untilMs: nowMs + CACHE_MS };
    return this.cached.status;
  }

  /** Whether a feature is enabled. */
  feature(name: Feature): boolean {
    return this.status.features.includes(name);
  }

  /** @throws ApiError 403 naming the feature */
  assertFeature(name: Feature): void {
    if (this.feature(name)) return;
    const { mode, message } = this.status;
    const reason = mode === 'invalid' ? ` ${message ?? ''}` : '';
    throw new ApiError('forbidden', `The feature \`${name}\` is not licensed on this server.${reason}`);
  }

  private statusAt(nowMs: number): LicenceStatus {
    const { edition } = this.config;
    if (this.licence === null) return developmentStatus(edition);
    if (this.licence instanceof InvalidLicence) return invalidStatus(this.licence.message);
    return statusAt(this.licence, edition, nowMs);
  }

  private read(key: string): Licence | InvalidLicence {
    try {
      return readLicence(key, trustedKeys(this.config));
    } catch (error) {
      if (error instanceof InvalidLicence) return error;
      throw error;
    }
  }
}
