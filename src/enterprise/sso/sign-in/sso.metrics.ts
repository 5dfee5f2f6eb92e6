import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { type SsoReason, ssoReasons } from '../shared/sso-reasons.js';

@Injectable()
export class SsoMetrics {
  private readonly refusals: Counter<'reason'>;

  constructor(registry: Registry) {
    this.refusals = new Counter({
      name: 'tenure_sso_refused_total',
      help: 'Sign-ins through identity providers that were refused, by reason; also those that have no audit row.',
      labelNames: ['reason'],
      registers: [registry],
    });
    // Starts at 0, so that the first refusal is an increase.
    for (const reason of ssoReasons) this.refusals.inc({ reason }, 0);
  }

  refused(reason: SsoReason): void {
    this.refusals.inc({ reason });
  }
}
