import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

const causes = ['request', 'resend', 'expired', 'purchase'] as const;
export const redemptionResults = [
  'alias',
  'transfer',
  'redeemer_owns',
  'repeated',
  'invalid',
  'other_customer',
  'expired',
] as const;

export type LinkCause = (typeof causes)[number];
export type RedemptionResult = (typeof redemptionResults)[number];

@Injectable()
export class RedemptionMetrics {
  private readonly links: Counter<'cause'>;
  private readonly redemptions: Counter<'result'>;

  constructor(registry: Registry) {
    this.links = new Counter({
      name: 'tenure_redemption_links_total',
      help: 'Redemption links made, by why: a request, sent again, in place of an expired one, a purchase.',
      labelNames: ['cause'],
      registers: [registry],
    });
    this.redemptions = new Counter({
      name: 'tenure_redemptions_total',
      help: 'Redemptions that apps requested, by outcome.',
      labelNames: ['result'],
      registers: [registry],
    });
    // Start at 0, so that the first one is an increase.
    for (const cause of causes) this.links.inc({ cause }, 0);
    for (const result of redemptionResults) this.redemptions.inc({ result }, 0);
  }

  linkMade(cause: LinkCause): void {
    this.links.inc({ cause });
  }

  redeemed(result: RedemptionResult): void {
    this.redemptions.inc({ result });
  }
}
