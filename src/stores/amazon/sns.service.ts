import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { SnsVerifier } from '../../../libs/stores/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { OutboundHttpClient } from '../../platform/outbound/outbound-http.client.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16_384;

/** Calls Amazon's notification service (SNS), only at addresses verified to be Amazon's. */
@Injectable()
export class Sns {
  readonly verifier: SnsVerifier;
  private readonly instead: string | null;

  constructor(
    private readonly http: OutboundHttpClient,
    config: Config,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.instead = config.testStores ? config.amazonSnsUrl : null;
    this.verifier = new SnsVerifier(
      (url) => this.read(url),
      () => clock.nowMs(),
    );
  }

  /** @throws OutboundRequestFailed if there was no answer */
  read(url: string): Promise<{ status: number; body: string }> {
    const { pathname, search } = new URL(url);
    return this.http.send({
      method: 'GET',
      url: this.instead === null ? url : `${this.instead}${pathname}${search}`,
      headers: {},
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
  }
}
