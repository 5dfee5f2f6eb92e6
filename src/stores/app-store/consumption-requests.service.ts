import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { effectiveFacts } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  AppleCallFailed,
  type AppleNotification,
  consumptionOf,
  environmentOf,
  isOfBuyer,
  type RefundWish,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ownerAmong, subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import { NotificationDelayed, type SavedNotification } from '../notifications/notification-source.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { AppleService } from './apple.service.js';
import { refusalOf } from './apple-errors.js';
import { ConsumptionRequestsRepository } from './consumption-requests.repository.js';

/** Apple's time limit for answers. */
const DEADLINE_MS = 12 * 3_600_000;
const PREFERENCE = '$appleRefundHandlingPreference';

const store = 'app_store';

/** Values of the customer attribute, in lower case; null means to send Apple nothing. */
const preferences = new Map<string, RefundWish | null>([
  ['do_not_handle', null],
  ['grant_full', 'grant_full'],
  ['grant_refund', 'grant_full'],
  ['grant_prorated', 'grant_prorated'],
  ['decline', 'decline'],
  ['decline_refund', 'decline'],
  ['let_apple_decide', 'let_apple_decide'],
]);

/**
 * The developer's preference; null means to send Apple nothing. The customer's attribute overrides the app's setting
 * only if a backend set it: with the public key, customers could grant themselves refunds.
 */
function wishOf(app: App, customer: CustomerRow): RefundWish | null {
  const setting = app.storeSettings.refund_request_handling ?? 'do_not_handle';
  if (setting === 'do_not_handle') return null;
  const attribute = customer.attributes.find(({ name, source }) => name === PREFERENCE && source === 'api');
  const wish = preferences.get(attribute?.value?.toLowerCase() ?? '');
  return wish === undefined ? setting : wish;
}

/** Whether the subscription was free before the period of the transaction. */
function hadTrial(
  { subscriptions }: CustomerRow,
  { purchaseKey, environment, transaction }: AppleNotification,
): boolean {
  const row = subscriptions.find(
    (one) => one.storeKey === purchaseKey && one.environment === (environment && environmentOf(environment)),
  );
  if (!row || !transaction) return false;
  const { periods } = effectiveFacts(subscriptionOf(row).facts);
  return Object.values(periods).some(
    ({ value }) => value.kind === 'trial' && value.startMs < transaction.purchaseDate,
  );
}

const otherStores = ({ store }: { store: string }): boolean =>
  store !== 'app_store' && store !== 'mac_app_store' && store !== 'promotional';

function isOfAppStoreOnly({ subscriptions, purchases }: CustomerRow): boolean {
  return !subscriptions.some(otherStores) && !purchases.some(otherStores);
}

/** Answers Apple's consumption requests, sent when a customer asks for a refund, if the developer enabled answers. */
@Injectable()
export class ConsumptionRequestsService {
  private readonly answers: Counter;

  constructor(
    private readonly repository: ConsumptionRequestsRepository,
    private readonly apple: AppleService,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
    private readonly health: CredentialHealthService,
    private readonly database: DatabaseService,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
    registry: Registry,
  ) {
    this.answers = new Counter({
      name: 'tenure_refund_answers_total',
      help: 'Answers to refund requests of stores, by what the store said: sent, or refused for good.',
      labelNames: ['store', 'result'],
      registers: [registry],
    });
    for (const result of ['sent', 'refused']) this.answers.inc({ store, result }, 0);
  }

  /**
   * Answers once, only within twelve hours, and only for purchases that a customer here has bought.
   * @throws NotificationDelayed while Apple cannot be reached
   */
  async answer(saved: SavedNotification, notification: AppleNotification): Promise<void> {
    const { app } = saved;
    const { type, transaction, signedAtMs } = notification;
    const isLate = this.clock.nowMs() - signedAtMs >= DEADLINE_MS;
    if (type !== 'CONSUMPTION_REQUEST' || transaction === null || isLate || !isOfBuyer(transaction)) return;
    const customer = await this.findOwner(app, notification);
    const wish = customer && wishOf(app, customer);
    const appleApp = this.apple.appOf(app);
    const { key } = appleApp;
    if (wish === null || key === null || notification.environment === null) return;
    if (await this.repository.isAnswered(saved)) return;
    const api = this.apple.api(appleApp, key, environmentOf(notification.environment));
    const asking = customer as CustomerRow;
    const known = {
      hadTrial: hadTrial(asking, notification),
      firstSeenAtMs: asking.firstSeenAtMs,
      isOfAppStoreOnly: isOfAppStoreOnly(asking),
      // Only answers about Advanced Commerce purchases state it.
      spending:
        transaction.advancedCommerceInfo !== undefined
          ? await this.transactions.spendingOf(
              app.projectId,
              asking.id,
              environmentOf(notification.environment),
            )
          : null,
    };
    const consumption = consumptionOf(transaction, wish, known, this.clock.nowMs());
    try {
      await this.health.watched(
        app,
        () => api.sendConsumption(transaction.transactionId, consumption),
        refusalOf,
      );
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      // A retry would get the same refusal.
      if (error.failure === 'refused' || error.failure === 'unknown') return this.recordRefusal(saved, error);
      throw new NotificationDelayed(error.message, error.retryAfterMs);
    }
    await this.repository.answered(saved, new Date(this.clock.nowMs()));
    this.answers.inc({ store, result: 'sent' });
  }

  /** The owner of the purchase in a notification; null if no customer owns it. */
  private async findOwner(
    app: App,
    { environment, purchaseKey }: AppleNotification,
  ): Promise<CustomerRow | null> {
    if (environment === null || purchaseKey === null) return null;
    const { store } = this.apple.appOf(app);
    const purchaseKeys = { store, environment: environmentOf(environment), keys: [purchaseKey] };
    const owners = await this.database.transaction((tx) =>
      this.customers.lock(tx, app.projectId, { appUserIds: [], purchaseKeys }),
    );
    return ownerAmong(owners, purchaseKeys, { key: purchaseKey }) ?? null;
  }

  private async recordRefusal(saved: SavedNotification, { message, code }: AppleCallFailed): Promise<void> {
    const { app, id } = saved;
    const shown = code === null ? message : `${message} (${code})`;
    this.log.warn(
      { projectId: app.projectId, appId: app.id, notificationId: id, error: shown },
      'Apple refused the answer to a refund request',
    );
    this.answers.inc({ store, result: 'refused' });
    await this.repository.refused(saved, new Date(this.clock.nowMs()), shown);
  }
}
