import type { Edition, Licence } from './licence-key.js';
import { type Feature, features } from './features.js';

const DAY_MS = 86_400_000;
/** A licence still works for this long after it expires. */
const GRACE_MS = 14 * DAY_MS;
/** Tolerates clock differences between issuer and server. */
const ISSUED_AHEAD_MS = DAY_MS;

export interface LicenceStatus {
  mode: 'development' | 'licensed' | 'invalid';
  features: readonly Feature[];
  licensee: string | null;
  expiresAtMs: number | null;
  maxOrganizations: number | null;
  message: string | null;
}

export function invalidStatus(message: string): LicenceStatus {
  return {
    mode: 'invalid',
    features: [],
    licensee: null,
    expiresAtMs: null,
    maxOrganizations: null,
    message,
  };
}

/** The status of a server without a key but with SERVICE_EE_DEV. */
export function developmentStatus(edition: Edition): LicenceStatus {
  if (edition === 'cloud') return invalidStatus('SERVICE_EE_DEV does not work on the hosted edition.');
  return {
    ...invalidStatus('For development and evaluation only: this server has no licence.'),
    mode: 'development',
    features,
  };
}

/** The current status of a genuine licence. */
export function statusAt(licence: Licence, edition: Edition, nowMs: number): LicenceStatus {
  const { licensee, expiresAtMs, maxOrganizations, issuedAtMs } = licence;
  if (issuedAtMs > nowMs + ISSUED_AHEAD_MS)
    return invalidStatus('The licence has an issue date in the future.');
  if (!licence.editions.includes(edition))
    return invalidStatus(`The licence is not for the ${edition} edition.`);
  const licensed = {
    mode: 'licensed' as const,
    features: licence.features,
    licensee,
    expiresAtMs,
    maxOrganizations,
  };
  if (expiresAtMs === null || nowMs < expiresAtMs) return { ...licensed, message: null };
  const day = new Date(expiresAtMs).toISOString().slice(0, 10);
  if (nowMs >= expiresAtMs + GRACE_MS) return invalidStatus(`The licence expired on ${day}.`);
  return { ...licensed, message: `The licence expired on ${day}. Renew it within 14 days of that.` };
}
