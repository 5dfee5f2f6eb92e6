import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { isWebStore } from '../../platform/principal/app-types.js';
import type { EventWrite } from '../../purchases/recording/change-set.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { allows } from '../settings/redemption-settings.policy.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import { emailOf, LinkIssuerService } from './link-issuer.service.js';
import { purchaseOf } from './redeemable-purchase.js';

const PURCHASES = new Set(['INITIAL_PURCHASE', 'NON_RENEWING_PURCHASE']);

function isWebPurchase({ type, body }: EventWrite): boolean {
  if (!PURCHASES.has(type)) return false;
  const { store } = body as { store?: unknown };
  return typeof store === 'string' && isWebStore(store.toLowerCase());
}

/** An app that already signs in as the owner of the purchase needs no link. */
function isUnknownToApps({ aliases, lastSeenAtMs }: CustomerRow): boolean {
  return lastSeenAtMs === null || aliases.every(({ isAnonymous }) => isAnonymous);
}

/** Mails a link after a purchase on the web, if the project enabled it. */
@Injectable()
export class PurchaseMailsService implements OnModuleInit {
  constructor(
    private readonly recorder: PurchaseRecorder,
    private readonly settings: RedemptionSettingsService,
    private readonly customers: CustomersService,
    private readonly issuer: LinkIssuerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.recorder.followEvents((tx, projectId, events) => this.follow(tx, projectId, events));
  }

  private async follow(tx: Transaction, projectId: string, events: readonly EventWrite[]): Promise<void> {
    const purchases = events.filter(isWebPurchase);
    if (purchases.length === 0 || !this.settings.canSendMail) return;
    const settings = await this.settings.forProject(projectId, tx);
    if (!settings.mailOnPurchase) return;
    const ids = purchases.flatMap(({ customerId }) => customerId ?? []);
    const owners = await this.customers.loadLocked(tx, projectId, [...new Set(ids)]);
    const nowMs = this.clock.nowMs();
    for (const event of purchases) {
      const owner = owners.find(({ id }) => id === event.customerId);
      const email = owner ? emailOf(owner) : null;
      if (!owner || email === null || !isUnknownToApps(owner)) continue;
      const purchase = purchaseOf(
        owner,
        event.subscriptionId === null
          ? { purchaseKind: 'one_time', purchaseId: event.purchaseId ?? '' }
          : { purchaseKind: 'subscription', purchaseId: event.subscriptionId },
        nowMs,
      );
      if (!purchase || purchase.hasEnded || !allows(settings, purchase.environment)) continue;
      const minutes = settings.linkMinutes;
      const link = { projectId, settings, purchase, owner, email, minutes, sendsMail: true };
      await this.issuer.issue(tx, { ...link, cause: 'purchase' }, nowMs);
    }
  }
}
