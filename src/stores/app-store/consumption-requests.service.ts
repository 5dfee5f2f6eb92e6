import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  AppleCallFailed,
  type AppleNotification,
  consumptionOf,
  environmentOf,
  type RefundWish,
  refundWishes,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { NotificationDelayed, type SavedNotification } from '../notifications/notification-source.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { AppleService } from './apple.service.js';
import { refusalOf } from './apple-errors.js';
import { ConsumptionCustomersService } from './consumption-customers.service.js';
import { ConsumptionRequestsRepository } from './consumption-requests.repository.js';

/** Apple accepts no answer after this. */
const DEADLINE_MS = 12 * 3_600_000;
const PREFERENCE = '$appleRefundHandlingPreference';

function isWish(text: string): text is RefundWish {
  return (refundWishes as readonly string[]).includes(text);
}

/** The developer's preference; null: send Apple nothing. The customer's attribute overrides the app's setting. */
function wishOf(app: App, customer: CustomerRow | null): RefundWish | null {
  const preference = customer?.attributes.find(({ name }) => name === PREFERENCE)?.value?.toLowerCase();
  const setting = app.storeSettings.refund_request_handling ?? 'do_not_handle';
  if (setting === 'do_not_handle' || preference === 'do_not_handle') return null;
  return preference !== undefined && isWish(preference) ? preference : setting;
}

/** Answers Apple's consumption requests, sent when a customer asks for a refund, where the developer wants that. */
@Injectable()
export class ConsumptionRequestsService {
  constructor(
    private readonly repository: ConsumptionRequestsRepository,
    private readonly apple: AppleService,
    private readonly customers: ConsumptionCustomersService,
    private readonly health: CredentialHealthService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Answers once, and only within twelve hours. @throws NotificationDelayed while Apple cannot be reached */
  async answer(saved: SavedNotification, notification: AppleNotification): Promise<void> {
    const { app } = saved;
    const { type, transaction, signedAtMs } = notification;
    const isLate = this.clock.nowMs() - signedAtMs >= DEADLINE_MS;
    if (type !== 'CONSUMPTION_REQUEST' || transaction === null || isLate) return;
    const customer = await this.customers.of(app, notification);
    const wish = wishOf(app, customer);
    const appleApp = this.apple.appOf(app);
    const { key } = appleApp;
    if (wish === null || key === null || notification.environment === null) return;
    if (await this.repository.isAnswered(saved)) return;
    const api = this.apple.api(appleApp, key, environmentOf(notification.environment));
    const consumption = consumptionOf(transaction, wish, customer !== null, this.clock.nowMs());
    try {
      await this.health.watched(
        app,
        () => api.sendConsumption(transaction.transactionId, consumption),
        refusalOf,
      );
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      // A retry would get the same refusal.
      if (error.failure === 'refused' || error.failure === 'unknown') return;
      throw new NotificationDelayed(error.message, error.retryAfterMs);
    }
    await this.repository.answered(saved, new Date(this.clock.nowMs()));
  }
}
