import { PlayCallFailed } from '../../libs/stores/index.js';
import { ApiError } from '../http/api-error.js';

const RETRY_AFTER_S = 60;

/** What helps against credentials that Google refuses, in front of its own words. */
export function credentialsHelp({ failure, reason, message }: PlayCallFailed): string {
  if (failure === 'package') {
    return `Google Play knows no app of that package_name, or none that the service account may see. ${message}`;
  }
  if (failure !== 'credentials' || reason === null) return message;
  if (reason === 'invalid_grant') {
    return `The key of the service account was deleted, or the account disabled: make a new key. ${message}`;
  }
  if (reason === 'accessNotConfigured' || reason === 'SERVICE_DISABLED') {
    return `The Google Play Android Developer API is not turned on in the service account's project. ${message}`;
  }
  return (
    'The service account lacks permissions in the Play Console: "View app information", "View financial data, ' +
    'orders, and cancellation survey responses" and "Manage orders and subscriptions". New ones take up to 36 ' +
    `hours. ${message}`
  );
}

/** What a failed call means to whoever asked for it: 503 when it may work later, else 422. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof PlayCallFailed)) return error;
  const { failure, retryAfterMs, message } = error;
  if (failure === 'credentials') return new ApiError('impossible', credentialsHelp(error), { code: 7101 });
  if (failure === 'unavailable' || failure === 'quota') {
    const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((retryAfterMs ?? 0) / 1000));
    return new ApiError('store_unreachable', message, { retryAfterS });
  }
  return new ApiError('store_refused', message);
}
