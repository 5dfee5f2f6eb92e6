import { ApiError } from '../../platform/http/errors/api-error.js';
import { isEmail, normalizeEmail } from '../../platform/http/bodies/email.js';
import type { UpdateRedemptionSettingsDto } from './redemption-settings.dto.js';
import type { RedemptionSettings } from './redemption-settings.entity.js';

export const DEFAULT_LINK_MINUTES = 60;

/** Schemes that browsers or systems open themselves, so that no app can handle them. */
const REFUSED_SCHEMES = new Set([
  'about',
  'blob',
  'data',
  'file',
  'ftp',
  'http',
  'https',
  'intent',
  'javascript',
  'mailto',
  'sms',
  'tel',
  'vbscript',
  'ws',
  'wss',
]);

export function defaultSettings(projectId: string): RedemptionSettings {
  return {
    projectId,
    enabled: 'off',
    urlScheme: null,
    linkMinutes: DEFAULT_LINK_MINUTES,
    mailOnPurchase: false,
    mailOnExpired: null,
    appName: null,
    appStoreUrl: null,
    playStoreUrl: null,
    supportEmail: null,
  };
}

/** Whether purchases in an environment may be redeemed. */
export function allows({ enabled }: Pick<RedemptionSettings, 'enabled'>, environment: string): boolean {
  return enabled === 'production' || (enabled === 'sandbox' && environment === 'sandbox');
}

/** Absent fields stay unchanged, null clears. @throws ApiError 400 naming the field */
export function settingsAfter(
  present: RedemptionSettings,
  body: UpdateRedemptionSettingsDto,
): RedemptionSettings {
  return {
    projectId: present.projectId,
    enabled: body.enabled ?? present.enabled,
    urlScheme: after(present.urlScheme, body.url_scheme, checkedScheme),
    linkMinutes: body.link_minutes ?? present.linkMinutes,
    mailOnPurchase: body.mail_on_purchase ?? present.mailOnPurchase,
    mailOnExpired: body.mail_on_expired === undefined ? present.mailOnExpired : body.mail_on_expired,
    appName: after(present.appName, body.app_name, checkedName),
    appStoreUrl: after(present.appStoreUrl, body.app_store_url, checkedUrl('app_store_url')),
    playStoreUrl: after(present.playStoreUrl, body.play_store_url, checkedUrl('play_store_url')),
    supportEmail: after(present.supportEmail, body.support_email, checkedEmail),
  };
}

function after(
  present: string | null,
  given: string | null | undefined,
  checked: (text: string) => string,
): string | null {
  if (given === undefined) return present;
  return given === null ? null : checked(given);
}

function checkedScheme(scheme: string): string {
  if (REFUSED_SCHEMES.has(scheme)) {
    throw ApiError.parameter('url_scheme', `url_scheme must be a scheme of your app, not ${scheme}.`);
  }
  return scheme;
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw ApiError.parameter('app_name', 'app_name must not be blank.');
  return trimmed;
}

const checkedUrl =
  (param: string) =>
  (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
      throw ApiError.parameter(param, `${param} must be an https URL.`);
    }
    return url.href;
  };

function checkedEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw ApiError.parameter('support_email', 'support_email must be an email address.');
  return email;
}
