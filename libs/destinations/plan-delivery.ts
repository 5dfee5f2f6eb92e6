import type { Definition, Delivery, DestinationType, FrozenCustomer, Plan, Settings } from './definition.js';
import { definitionOf } from './destinations.js';
import { type DestinationEvent, eventTypesOfKind, isGrant, type Kind, kindOf } from './event.js';
import { waitUntilMs } from './reasons.js';
import { type RevenueMode, revenueOf } from './revenue.js';
import type { EventNames } from './settings/event-names.js';
import { rcNames } from './tools/requests.js';

/** A destination with its secrets. */
export interface Destination {
  type: DestinationType;
  name: string;
  /** With defaults filled in. */
  settings: Settings;
  /** Differences to the default names; null switches a kind off. */
  eventNames: EventNames;
  revenue: RevenueMode;
  attributes: 'all' | 'none';
  sendFromMs: number;
}

export interface Occurrence {
  event: DestinationEvent;
  occurredAtMs: number;
  recordedAtMs: number;
  customer: FrozenCustomer;
  /** The customer lives by a test clock. */
  isOnTestClock: boolean;
  /** A replay ignores the start of the destination. */
  isReplay: boolean;
  customerUrl: string | null;
  nowMs: number;
}

const HOUR_MS = 3_600_000;
const LATEST_DIGEST_HOURS = 12;

/** The tool's name of a kind; null if it is switched off. */
function nameOf({ eventNames, settings }: Destination, definition: Definition, kind: Kind): string | null {
  const byDefault = definition.names[kind];
  if (byDefault === undefined || eventNames[kind] === null) return null;
  if (definition.kinds) return definition.kinds(settings).includes(kind) ? kind : null;
  const own = eventNames[kind];
  return typeof own === 'string' ? own : byDefault;
}

/** The kinds that a destination sends. */
export function sentKinds(destination: Destination): Kind[] {
  const definition = definitionOf(destination.type);
  const offered = Object.keys(definition.names) as Kind[];
  return offered.filter((kind) => nameOf(destination, definition, kind) !== null);
}

/** The event types whose deliveries a destination gets, in the form of the filter of webhooks. Not for `http`. */
export function sentEventTypes(destination: Destination): string[] {
  return [...new Set(sentKinds(destination).flatMap((kind) => eventTypesOfKind[kind]))];
}

/** The name of the event; null if it is not sent. `http` receives every type. */
function sentName(
  destination: Destination,
  definition: Definition,
  { type }: DestinationEvent,
  kind: Kind | null,
) {
  if (destination.type === 'http') return (kind && rcNames[kind]) ?? type.toLowerCase();
  return kind && nameOf(destination, definition, kind);
}

/** Emails, phone numbers and addresses are attributes too. */
const PERSONAL = ['$email', '$phoneNumber', '$ip'];

function withoutAttributes(delivery: Delivery): Delivery {
  const { event, customer } = delivery;
  const attributes = Object.entries(customer.attributes).filter(([name]) => !PERSONAL.includes(name));
  return {
    ...delivery,
    event: { ...event, subscriber_attributes: {} },
    customer: { ...customer, attributes: Object.fromEntries(attributes) },
  };
}

function skipBeforePlan(
  { sendsFreeAccess, maxAgeMs, category }: Definition,
  { event, occurredAtMs, recordedAtMs, nowMs }: Occurrence,
): Plan | null {
  if (!sendsFreeAccess && isGrant(event)) return { skip: 'grant' };
  if (!sendsFreeAccess && event.is_family_share === true) return { skip: 'family_share' };
  if (maxAgeMs !== null && nowMs - occurredAtMs > maxAgeMs) return { skip: 'too_old' };
  if (category === 'chat' && nowMs - recordedAtMs > HOUR_MS) return { skip: 'too_old' };
  return null;
}

const MAX_ALIASES = 10;

/** Leaves out attributes and further ids of the customer if the request is too large with them. */
function planWithin(definition: Definition, delivery: Delivery, settings: Settings): Plan {
  const { event } = delivery;
  const smaller = { ...event, subscriber_attributes: {} };
  const events = [event, smaller, { ...smaller, aliases: event.aliases?.slice(0, MAX_ALIASES) }];
  for (const own of events) {
    const plan = definition.plan({ ...delivery, event: own }, settings);
    if (!('send' in plan)) return plan;
    if (plan.send.every(({ body }) => Buffer.byteLength(body) <= definition.maxBodyBytes)) return plan;
  }
  return { skip: 'too_large' };
}

/** A digest is no event of a customer: names, start and environments of the destination do not apply. */
function planDigest(
  definition: Definition,
  { settings }: Destination,
  { event, occurredAtMs, recordedAtMs, nowMs }: Occurrence,
): Plan {
  if (!definition.digest || !event.digest) return { skip: 'event_off' };
  if (nowMs - recordedAtMs > LATEST_DIGEST_HOURS * HOUR_MS)
    return { skip: 'too_old', detail: `The channel was busy for more than ${LATEST_DIGEST_HOURS} hours.` };
  return { send: [definition.digest(event.digest, occurredAtMs, settings)] };
}

/** Returns the calls to send for an event, or the reason not to send any. The first rule that applies decides. */
export function planDelivery(destination: Destination, occurrence: Occurrence): Plan {
  const definition = definitionOf(destination.type);
  const { event, occurredAtMs, isOnTestClock, isReplay, nowMs } = occurrence;
  if (event.type === 'DIGEST') return planDigest(definition, destination, occurrence);
  if (isOnTestClock && destination.type !== 'http') return { skip: 'test_clock' };
  if (occurredAtMs < destination.sendFromMs && !isReplay) return { skip: 'before_start' };
  const kind = kindOf(event);
  const name = sentName(destination, definition, event, kind);
  if (name === null) return { skip: 'event_off' };
  const skipped = skipBeforePlan(definition, occurrence);
  if (skipped) return skipped;
  const delivery: Delivery = {
    event,
    customer: occurrence.customer,
    kind,
    name,
    ...revenueOf(event, destination.revenue),
    at: occurredAtMs,
    customerUrl: occurrence.customerUrl,
    destinationName: destination.name,
  };
  const sent = destination.attributes === 'none' ? withoutAttributes(delivery) : delivery;
  const plan = planWithin(definition, sent, destination.settings);
  if ('wait' in plan && waitUntilMs(definition, occurredAtMs) <= nowMs) return { skip: plan.reason };
  return plan;
}
