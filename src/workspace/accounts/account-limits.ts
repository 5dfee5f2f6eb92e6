import type { RateLimit } from '../../platform/rate-limits/rate-limiter.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const failedSignInsOfAddress: RateLimit = {
  name: 'sign_in_address',
  max: 10,
  windowMs: 15 * MINUTE_MS,
};
/**
 * Replaces the address's limit in a browser where the user has signed in before, so that strangers cannot lock them
 * out.
 */
export const failedSignInsOfDevice: RateLimit = { name: 'sign_in_device', max: 10, windowMs: 15 * MINUTE_MS };
export const failedSignInsOfNetwork: RateLimit = { name: 'sign_in_ip', max: 50, windowMs: 15 * MINUTE_MS };
export const forgottenPasswordsOfNetwork: RateLimit = { name: 'forgot_ip', max: 5, windowMs: 15 * MINUTE_MS };
export const resetMailsOfAddress: RateLimit = { name: 'reset_mails', max: 3, windowMs: HOUR_MS };
export const confirmationMailsOfUser: RateLimit = { name: 'confirmation_mails', max: 5, windowMs: HOUR_MS };
export const emailChangesOfUser: RateLimit = { name: 'email_changes', max: 5, windowMs: HOUR_MS };
/** Covers links in mails for every purpose. */
export const linkChecksOfNetwork: RateLimit = { name: 'link_checks_ip', max: 60, windowMs: MINUTE_MS };
export const signUpsOfNetwork: RateLimit = { name: 'sign_up_ip', max: 10, windowMs: HOUR_MS };
export const wrongCodesOfAccount: RateLimit = { name: 'two_factor', max: 10, windowMs: 15 * MINUTE_MS };
