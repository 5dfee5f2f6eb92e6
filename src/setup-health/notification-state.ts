import type { App } from './app.entity.js';
import type { AppType } from './app-types.js';
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
export function notificationUrl(baseUrl: string, { type, id }: Pick<App, 'type' | 'id'>): string | null {
  const store = storeNames[type];
  return store === null ? null : `${baseUrl}/v1/notifications/${store}/${id}`;
}

/** Nothing has come from any store: this server takes no store notifications yet. */
export function notificationState(baseUrl: string, app: App): NotificationStateDto {
  return {
    notification_url: notificationUrl(baseUrl, app),
    last_notification_at: null,
    last_notification_received_at: null,
    last_notification_error: null,
    notification_status: 'waiting',
  };
}
