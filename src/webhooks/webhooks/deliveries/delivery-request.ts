import { signStandardWebhook, signWebhook } from '../../../../libs/signing/index.js';

export const MAX_BODY_BYTES = 1024 * 1024;

export const MASK = '[masked]';

/** Uses the recorded text, not the parsed event, so that every attempt sends the same bytes. */
function envelope(event: string, customerInfo: string | null): string {
  const more = customerInfo === null ? '' : `,"customer_info":${customerInfo}`;
  return `{"api_version":"1.0","event":${event}${more}}`;
}

/** Omits customer info (JSON text) if it would make the body larger than consumers accept. */
export function deliveryBody(event: string, customerInfo: string | null): string {
  const body = envelope(event, customerInfo);
  if (customerInfo === null || Buffer.byteLength(body) <= MAX_BODY_BYTES) return body;
  return envelope(event, 'null');
}

export interface DeliverySecrets {
  /** The current secret first; during a rotation also the previous one. */
  signing: string[];
  authorization: string | null;
}

interface Signatures {
  own: string;
  standard: string;
}

/**
 * Headers of an attempt. Consumers written for RevenueCat read only its signature header and reject requests without
 * it, so our signature is sent under both names. The other three headers are those of Standard Webhooks.
 */
function headersOf(
  eventId: string,
  timestampS: number | string,
  signatures: Signatures,
  authorization: string | null,
  replay: boolean,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-webhook-signature': signatures.own,
    'x-revenuecat-webhook-signature': signatures.own,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.standard,
    ...(replay && { 'x-service-webhook-replay': 'true' }),
    ...(authorization !== null && { authorization }),
  };
}

export function signedHeaders(
  { eventId, replay }: { eventId: string; replay: boolean },
  secrets: DeliverySecrets,
  timestampS: number,
  body: string,
): Record<string, string> {
  const signatures = {
    own: signWebhook(secrets.signing, timestampS, body),
    standard: signStandardWebhook(secrets.signing, eventId, timestampS, body),
  };
  return headersOf(eventId, timestampS, signatures, secrets.authorization, replay);
}

/** The same headers without secrets, for display. `timestampS`: of the last attempt; null before the first. */
export function maskedHeaders(
  { eventId, replay, hasAuthorization }: { eventId: string; replay: boolean; hasAuthorization: boolean },
  timestampS: number | null,
): Record<string, string> {
  const timestamp = timestampS ?? '<timestamp>';
  const signatures = { own: `t=${timestamp},v1=${MASK}`, standard: `v1,${MASK}` };
  return headersOf(eventId, timestamp, signatures, hasAuthorization ? MASK : null, replay);
}

/** Masks every secret in a text, because an endpoint may echo what it was sent. */
export function maskSecrets(text: string, { signing, authorization }: DeliverySecrets): string {
  const credential = authorization?.trim().split(/\s+/).slice(1).join(' ') ?? '';
  const secrets = [
    ...signing,
    ...signing.map((secret) => secret.replace('whsec_', '')),
    authorization ?? '',
    credential,
  ];
  return secrets
    .filter((secret) => secret.length >= 4)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}
