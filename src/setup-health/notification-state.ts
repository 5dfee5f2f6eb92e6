import type { App } from '../apps/app.entity.js';
import type { AppType } from '../apps/app-types.js';
import type { NotificationHealth } from '../store-notifications/notification-health.service.js';
import type { NotificationStateDto } from './store-settings.dto.js';

/** Names of the stores in notification addresses; stores without one send no notifications. */
const storeNames: Record<AppType, string | null> = {
  app_store: 'apple',
  mac_app_store: 'apple',
  play_store: 'google',
  amazon: 'amazon',
  stripe: 'stripe',
  paddle: 'paddle',
  roku: 'roku',
  rc_billing: null,
  test_store: null,
};

/** Where the store of an app sends its notifications. It stays the same for the life of the app. */
function notificationUrl(baseUrl: string, { type, id }: Pick<App, 'type' | 'id'>): string | null {
  const store = storeNames[type];
  return store === null ? null : `${baseUrl}/v1/notifications/${store}/${id}`;
}

/** Where the notifications of an app go, and how they fare. */
export function notificationState(
  baseUrl: string,
  app: Pick<App, 'type' | 'id'>,
  health: NotificationHealth | undefined,
): NotificationStateDto {
  const lastError = health?.lastError ?? null;
  return {
    notification_url: notificationUrl(baseUrl, app),
    last_notification_at: health?.lastSentAtMs ?? null,
    last_notification_received_at: health?.lastReceivedAtMs ?? null,
    last_notification_error: lastError && {
      at: lastError.atMs,
      type: lastError.type,
      message: lastError.message,
    },
    notification_status: health?.status ?? 'waiting',
  };
}
