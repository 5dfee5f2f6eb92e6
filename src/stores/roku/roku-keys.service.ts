import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { RokuPushVerifier } from '../../../libs/stores/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { OutboundHttpClient } from '../../platform/outbound/outbound-http.client.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;

/** Verifies push notifications with the keys that Roku publishes at two fixed addresses. */
@Injectable()
export class RokuKeysService {
  readonly verifier: RokuPushVerifier;
  private readonly instead: string | null;

  constructor(
    private readonly http: OutboundHttpClient,
    config: Config,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.instead = config.testStores ? config.rokuKeysUrl : null;
    this.verifier = new RokuPushVerifier(
      (url) => this.read(url),
      () => clock.nowMs(),
    );
  }

  private read(url: string): Promise<{ status: number; body: string }> {
    return this.http.send({
      method: 'GET',
      url: this.instead === null ? url : `${this.instead}${new URL(url).pathname}`,
      headers: {},
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
  }
}
