import type { DestinationType } from '../destinations.queries.js';

const DAY_MS = 86_400_000;

/** How long an event waits for an id. */
const LONGEST_WAIT_DAYS = 30;

type Facts = Pick<
  DestinationType,
  'name' | 'category' | 'reads_attributes' | 'requires_attributes' | 'capabilities' | 'max_age_ms'
>;

const listed = (names: readonly string[], word: 'and' | 'or') =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;

/** The consent of a customer is required, but is no id. */
const CONSENT = '$attConsentStatus';

const idsOf = (required: readonly string[]) => required.filter((name) => name !== CONSENT);

function identityOf({ category, reads_attributes: reads, requires_attributes: required }: Facts): string {
  if (category === 'http') return 'Whatever the body contains.';
  if (category === 'chat') return 'The app user id, with a link to the customer’s page.';
  if (required.length > 0) return `${listed(idsOf(required), 'or')}, and the app user id.`;
  return reads.length > 0 ? `${listed(reads, 'and')} if set, else the app user id.` : 'The app user id.';
}

function propertiesOf({ name, category, capabilities }: Facts): string {
  if (category === 'http') return 'Whatever the body contains: the event and the customer by default.';
  if (category === 'chat') return 'A sentence, the product and the revenue.';
  const parts = ['Product, store, dates and revenue in USD.'];
  if (capabilities.profile) parts.push(`The status of the subscription, also in the profile in ${name}.`);
  parts.push(
    capabilities.negative_revenue
      ? 'Refunds have negative revenue.'
      : 'Refunds are not subtracted from revenue.',
  );
  return parts.join(' ');
}

const advertisingIds = ['$idfa', '$idfv', '$gpsAdId'];

function personalDataOf({ category, capabilities, reads_attributes: reads }: Facts): string {
  if (category === 'http') return 'Whatever the body contains.';
  const found = ['app user id'];
  if (capabilities.profile) found.push('attributes of customers');
  if (advertisingIds.some((name) => reads.includes(name))) found.push('advertising ids');
  if (reads.includes('$email')) found.push('email and phone number as SHA-256 hashes');
  if (reads.includes('$ip')) found.push('IP address');
  const text = listed(found, 'and');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Describes the data about a customer that a tool receives. */
export const whatIsSent = (type: Facts): [label: string, text: string][] => [
  ['Identity', identityOf(type)],
  ['Properties', propertiesOf(type)],
  ['Personal data', personalDataOf(type)],
];

/** Whether the person may leave attributes out. */
export const sendsAttributes = ({ category, capabilities, reads_attributes: reads }: Facts): boolean =>
  category === 'http' || capabilities.profile || reads.includes('$ip');

/** Explains how events of customers without an id are handled; null if the tool needs none. */
export function requiredIdsNote({
  name,
  requires_attributes: required,
  max_age_ms: ageMs,
}: Facts): string | null {
  if (required.length === 0) return null;
  const days = Math.ceil(Math.min(LONGEST_WAIT_DAYS, (ageMs ?? Infinity) / DAY_MS));
  const ids = listed(idsOf(required), 'or');
  const consent = required.includes(CONSENT) ? ` On Apple devices, ${CONSENT} must be authorized, too.` : '';
  return `${name} needs ${ids}.${consent} An event of a customer without it waits for up to ${days} days. Set it with the SDK before the first purchase.`;
}
