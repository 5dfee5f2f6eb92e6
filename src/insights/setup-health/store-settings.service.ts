import { Injectable } from '@nestjs/common';
import { isJsonObject } from '../../../libs/kernel/index.js';
import { Config } from '../../platform/config/config.js';
import { NotificationHealthService } from '../../stores/notifications/notification-health.service.js';
import { NotificationSourcesService } from '../../stores/notifications/notification-sources.service.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { connectKey, holds, subscriptionKey } from '../../catalog/apps/credentials.js';
import { StoreConnectionsService } from '../../stores/shared/store-connections.service.js';
import { notificationState } from './notification-state.js';
import type { StoreSettingsDto } from './store-settings.dto.js';

@Injectable()
export class StoreSettingsService {
  constructor(
    private readonly apps: AppsService,
    private readonly notifications: NotificationHealthService,
    private readonly sources: NotificationSourcesService,
    private readonly connections: StoreConnectionsService,
    private readonly config: Config,
  ) {}

  /** @throws ApiError 404 */
  async forApp(projectId: string, appId: string): Promise<StoreSettingsDto> {
    const app = await this.apps.get(projectId, appId);
    const health = (await this.notifications.forProject(projectId)).get(app.id);
    const { baseUrl } = this.config;
    const { storeSettings } = app;
    return {
      object: 'app_store_settings',
      app_id: app.id,
      type: app.type,
      receipts: this.connections.takesReceipts(app.type) ? 'supported' : 'unsupported',
      api_origin: baseUrl,
      ...notificationState(this.sources.addressFor(app), health),
      notification_forward_url: storeSettings.notification_forward_url ?? null,
      last_forward: health?.lastForward
        ? { status: health.lastForward.status, at: health.lastForward.atMs }
        : null,
      track_new_purchases: storeSettings.track_new_purchases ?? false,
      allow_unsigned_receipts: storeSettings.allow_unsigned_receipts ?? false,
      answer_retention_requests: storeSettings.answer_retention_requests ?? true,
      allow_test_notifications: storeSettings.allow_test_notifications ?? false,
      refund_request_handling: storeSettings.refund_request_handling ?? 'do_not_handle',
      external_purchase_reports: {
        enabled: storeSettings.external_purchase_reports?.enabled ?? false,
        bind: storeSettings.external_purchase_reports?.bind ?? 'id',
        fallback_currency: storeSettings.external_purchase_reports?.fallback_currency ?? 'EUR',
      },
      external_transaction_reports: {
        enabled: storeSettings.external_transaction_reports?.enabled ?? false,
        bind: storeSettings.external_transaction_reports?.bind ?? 'id',
        link_type: storeSettings.external_transaction_reports?.link_type ?? null,
      },
      refund_data_consent: storeSettings.refund_data_consent ?? 'none',
      sample_content_provided: storeSettings.sample_content_provided ?? false,
      refund_usage_evidence: storeSettings.refund_usage_evidence ?? 'none',
      refund_attributes_from_sdk: storeSettings.refund_attributes_from_sdk ?? false,
      small_business_since: storeSettings.small_business_since ?? null,
      one_time_rate: storeSettings.one_time_rate ?? null,
      commission_rate: storeSettings.commission_rate ?? null,
      sns_topic_arn: storeSettings.sns_topic_arn ?? null,
      sns_confirmation_token: storeSettings.sns_confirmation_token ?? null,
      credentials: this.credentialsOf(app),
    };
  }

  /** Returns names of keys and accounts, but never the keys. */
  private credentialsOf(app: App): StoreSettingsDto['credentials'] {
    return {
      subscription_key: {
        configured: holds(app, subscriptionKey),
        key_id: this.apps.credential(app, 'subscription_key_id'),
        issuer_id: this.apps.credential(app, 'subscription_key_issuer'),
      },
      app_store_connect_api_key: {
        configured: holds(app, connectKey),
        key_id: this.apps.credential(app, 'app_store_connect_api_key_id'),
        issuer_id: this.apps.credential(app, 'app_store_connect_api_key_issuer'),
        vendor_number: app.storeSettings.app_store_connect_vendor_number ?? null,
      },
      shared_secret: { configured: holds(app, ['shared_secret']) },
      play_service_account: {
        configured: holds(app, ['play_service_account_credentials_json']),
        client_email: this.clientEmail(app),
      },
      xcode_certificate: { configured: holds(app, ['xcode_certificate']) },
    };
  }

  private clientEmail(app: App): string | null {
    const text = this.apps.credential(app, 'play_service_account_credentials_json');
    const account: unknown = text === null ? null : JSON.parse(text);
    const email = isJsonObject(account) ? account.client_email : null;
    return typeof email === 'string' ? email : null;
  }
}
