import type { Definition } from './definition.js';

/** Reasons for which a delivery waits, is not sent, or failed. */
export type Reason =
  | 'missing_attribute'
  | 'no_consent'
  | 'test_clock'
  | 'before_start'
  | 'event_off'
  | 'grant'
  | 'family_share'
  | 'too_old'
  | 'no_sandbox_key'
  | 'no_stream'
  | 'no_money_back'
  | 'bad_attribute'
  | 'opted_out'
  | 'rejected'
  | 'too_large'
  | 'gave_up'
  | 'refused_key'
  | 'quiet';

export interface ReasonFacts {
  status: 'pending' | 'waiting' | 'skipped' | 'failed';
  tool: Pick<Definition, 'name' | 'category' | 'maxAgeMs' | 'maxBodyBytes'>;
  /** Attributes that the delivery waits for, or waited for. */
  missing?: readonly string[];
  /** End of a wait or a pause. */
  untilMs?: number;
  /** As planned, or the tool's explanation. */
  detail?: string;
  attempts?: number;
  responseStatus?: number | null;
}

const DAY_MS = 86_400_000;

/** The longest wait of an event for an attribute, unless the tool takes only newer events. */
const LONGEST_WAIT_MS = 30 * DAY_MS;

export function waitUntilMs({ maxAgeMs }: Pick<Definition, 'maxAgeMs'>, occurredAtMs: number): number {
  return occurredAtMs + Math.min(LONGEST_WAIT_MS, maxAgeMs ?? Infinity);
}

const daysOf = (tool: ReasonFacts['tool']) =>
  `${Math.ceil(Math.min(LONGEST_WAIT_MS, tool.maxAgeMs ?? Infinity) / DAY_MS)} days`;

const day = (ms = 0) => new Date(ms).toISOString().slice(0, 10);

function missingText({ status, missing = [], untilMs, tool }: ReasonFacts): string {
  const names = missing.join(' or ');
  if (status === 'waiting')
    return `This customer has no ${names} yet. The event is sent when it arrives, until ${day(untilMs)}.`;
  return `This customer had no ${names} for ${daysOf(tool)}.`;
}

const texts: Record<Reason, (facts: ReasonFacts) => string> = {
  missing_attribute: missingText,
  no_consent: ({ status, tool }) =>
    status === 'waiting'
      ? 'This customer has not allowed tracking ($attConsentStatus).'
      : `This customer did not allow tracking for ${daysOf(tool)}.`,
  test_clock: () => 'Customers on test clocks are not sent.',
  before_start: () => "This happened before the destination's start.",
  event_off: () => 'This kind of event is switched off.',
  grant: () => 'Granted access is not a sale.',
  family_share: () => 'Shared access is not a sale.',
  too_old: ({ tool, detail }) =>
    tool.category === 'chat'
      ? (detail ?? 'The channel was busy for more than an hour.')
      : `${tool.name} takes no events older than ${daysOf(tool)}.`,
  no_sandbox_key: () => 'There is no key for sandbox events.',
  no_stream: ({ detail }) => `There is no app of this destination for ${detail ?? 'these'} purchases.`,
  no_money_back: ({ tool }) => `${tool.name} takes no refunds.`,
  bad_attribute: ({ detail }) => detail ?? 'An attribute has a value that the tool does not take.',
  opted_out: ({ tool }) => `${tool.name} says that this device opted out.`,
  rejected: ({ tool, detail }) => `${tool.name} did not accept the event${detail ? `: ${detail}` : '.'}`,
  too_large: ({ tool }) =>
    `The event is larger than ${tool.name} allows (${Math.round(tool.maxBodyBytes / 1000)} kB).`,
  gave_up: ({ attempts = 6, responseStatus }) =>
    `${attempts === 6 ? 'Six' : attempts} attempts failed; ${
      responseStatus ? `the last answer was ${responseStatus}` : 'the last one got no answer'
    }.`,
  refused_key: ({ tool }) => `${tool.name} refuses the key. Deliveries wait until it is corrected.`,
  quiet: ({ tool, untilMs = 0 }) =>
    `${tool.name} asked for a pause until ${new Date(untilMs).toISOString().slice(11, 16)} UTC.`,
};

export function reasonText(reason: Reason, facts: ReasonFacts): string {
  return texts[reason](facts);
}
