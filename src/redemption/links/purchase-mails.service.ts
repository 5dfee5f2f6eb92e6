import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { isWebStore } from '../../platform/principal/app-types.js';
import type { EventWrite } from '../../purchases/recording/change-set.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import type {
  NewStoreTask,
  StoreTask,
  StoreTaskHandler,
  StoreTaskResult,
} from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { allows } from '../settings/redemption-settings.policy.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import { emailOf, LinkIssuerService } from './link-issuer.service.js';
import { purchaseOf } from './redeemable-purchase.js';
import { RedeemablePurchasesService } from './redeemable-purchases.service.js';
import type { RedemptionLink } from './redemption-link.entity.js';

const PURCHASES = new Set(['INITIAL_PURCHASE', 'NON_RENEWING_PURCHASE']);

interface MailedPurchase extends Pick<RedemptionLink, 'purchaseKind' | 'purchaseId'> {
  /** Before the purchase was recorded. */
  sinceMs: number;
}

function isWebPurchase({ type, body }: EventWrite): boolean {
  if (!PURCHASES.has(type)) return false;
  const { store } = body as { store?: unknown };
  return typeof store === 'string' && isWebStore(store.toLowerCase());
}

/** An app that already signs in as the owner of the purchase needs no link. */
function isUnknownToApps({ aliases, lastSeenAtMs }: CustomerRow): boolean {
  return lastSeenAtMs === null || aliases.every(({ isAnonymous }) => isAnonymous);
}

/**
 * Mails a link after a purchase on the web, if the project enabled it. A task creates the link after the purchase was
 * recorded: on Citus no route of a link can be written while any worker is down, but purchases can.
 */
@Injectable()
export class PurchaseMailsService implements OnModuleInit, StoreTaskHandler {
  readonly kind = 'mail_redemption_link';

  constructor(
    private readonly recorder: PurchaseRecorder,
    private readonly tasks: StoreTasksService,
    private readonly settings: RedemptionSettingsService,
    private readonly purchases: RedeemablePurchasesService,
    private readonly issuer: LinkIssuerService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.recorder.followEvents((tx, projectId, events) => this.follow(tx, projectId, events));
    this.tasks.handle(this);
  }

  private async follow(tx: Transaction, projectId: string, events: readonly EventWrite[]): Promise<void> {
    const purchases = events.filter(isWebPurchase);
    if (purchases.length === 0 || !this.settings.canSendMail) return;
    const settings = await this.settings.forProject(projectId, tx);
    if (!settings.mailOnPurchase) return;
    await this.tasks.addIn(
      tx,
      projectId,
      purchases.flatMap((event) => this.taskOf(event) ?? []),
    );
  }

  private taskOf({ appId, subscriptionId, purchaseId }: EventWrite): NewStoreTask | null {
    const key = subscriptionId ?? purchaseId;
    if (appId === null || key === null) return null;
    const nowMs = this.clock.nowMs();
    const detail: MailedPurchase = {
      purchaseKind: subscriptionId === null ? 'one_time' : 'subscription',
      purchaseId: key,
      sinceMs: nowMs - 1,
    };
    return { appId, kind: this.kind, key, detail, markAt: null, dueAt: new Date(nowMs) };
  }

  async work({ projectId, detail }: StoreTask): Promise<StoreTaskResult> {
    const mailed = detail as MailedPurchase;
    const named = await this.purchases.ofLink({ projectId, ...mailed });
    if (!named) return 'done';
    await this.database.transaction(async (tx) => {
      const settings = await this.settings.forProject(projectId, tx);
      if (!settings.mailOnPurchase) return;
      const { owner } = await this.purchases.lock(tx, projectId, named);
      const email = owner ? emailOf(owner) : null;
      if (!owner || email === null || !isUnknownToApps(owner)) return;
      const nowMs = this.clock.nowMs();
      const purchase = purchaseOf(owner, mailed, nowMs);
      if (!purchase || purchase.hasEnded || !allows(settings, purchase.environment)) return;
      // An earlier run that was not recorded, or the backend, has issued one.
      if (await this.issuer.hasIssued(tx, projectId, purchase.purchaseId, mailed.sinceMs)) return;
      const minutes = settings.linkMinutes;
      const link = { projectId, settings, purchase, owner, email, minutes, sendsMail: true };
      await this.issuer.issue(tx, { ...link, cause: 'purchase' }, nowMs);
    });
    return 'done';
  }
}
