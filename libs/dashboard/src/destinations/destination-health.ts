import type { Tone } from '../ui/tone.js';
import type { Destination, DestinationState } from './destinations.queries.js';

type Health = 'delivering' | 'starts' | 'key' | 'failing' | 'open' | 'paused' | 'slowed';

/** A destination that starts at once must not start later by a clock that is behind that of the server. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The state of a destination that matters most. */
export function healthOf(
  state: DestinationState,
  { send_from: sendFrom }: Pick<Destination, 'send_from'>,
  nowMs: number,
): Health {
  if (!state.enabled) return 'paused';
  if (state.credentials === 'refused') return 'key';
  if (state.circuit === 'open') return 'open';
  if (state.quiet_until !== null && state.quiet_until > nowMs) return 'slowed';
  if (sendFrom > nowMs + CLOCK_TOLERANCE_MS) return 'starts';
  // A few failures among many deliveries are about single events.
  return state.failed_24h > 0 && state.failed_24h >= state.delivered_24h ? 'failing' : 'delivering';
}

export const healthTones: Record<Health, Tone> = {
  delivering: 'good',
  starts: 'neutral',
  key: 'bad',
  failing: 'bad',
  open: 'bad',
  paused: 'neutral',
  slowed: 'warn',
};

const hints: Record<Health, ((tool: string) => string) | null> = {
  delivering: null,
  starts: () => 'Events that happened before the start are not sent.',
  key: (tool) => `${tool} refuses the key. Nothing is lost: deliveries are sent once it is corrected.`,
  failing: () =>
    'Most deliveries of the last 24 hours failed or wait for a retry. The list has their reasons.',
  open: (tool) =>
    `${tool} failed many times in a row. Deliveries wait until a probe succeeds; a test or a retry sends one at once.`,
  paused: () => 'Nothing is sent. Events that happen now are not queued.',
  slowed: (tool) => `${tool} asked for a pause. Deliveries continue after it.`,
};

/** Explains a state; null if there is nothing to explain. */
export const healthHint = (health: Health, tool: string): string | null => hints[health]?.(tool) ?? null;
