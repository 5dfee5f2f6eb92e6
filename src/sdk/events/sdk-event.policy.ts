import { createHash } from 'node:crypto';
import { isJsonObject, parseJson } from '../../../libs/kernel/index.js';
import type { SdkEventsSetting } from '../../catalog/snapshot/catalog.model.js';
import { isAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { isEssential, storedKeysOf } from '../../customers/sdk-events/sdk-event-kinds.js';
import type { SdkEvent } from '../../customers/sdk-events/sdk-events.repository.js';

const DAY_MS = 86_400_000;
const MAX_EVENTS = 500;
const MAX_KEYS = 40;
const MAX_TEXT = 500;
/** Bounds of texts that may be longer. */
const longTexts = new Map([
  ['error_message', 1_000],
  ['additional_context', 1_000],
]);
/** For bodies of 1 MiB: more than phones send, and cheap to parse. */
const BODY_LIMITS = { values: 60_000, keys: 30_000 };
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Why an event was dropped. `malformed` counts whole bodies. */
export const dropReasons = [
  ...(['malformed', 'too_many', 'unknown_type', 'invalid', 'too_old', 'off', 'not_essential'] as const),
  ...(['limited', 'no_app'] as const),
] as const;
export type DropReason = (typeof dropReasons)[number];
export type Dropped = Map<DropReason, number>;

type Value = SdkEvent['data'][string];

export interface IntakeTerms {
  setting: SdkEventsSetting;
  nowMs: number;
  retentionDays: number;
  /** The published paywall of an offering, by its lookup key; null if there is none. */
  paywallOf: (offering: string) => string | null;
  /** The signed-in customer, who replaces the one in the events; null for other callers. */
  signedInAppUserId: string | null;
}

class InvalidEvent extends Error {}

/** Throws for values that cannot be stored. Values of other types count as absent. */
function valueOf(sources: readonly Record<string, unknown>[], key: string): Value | null {
  for (const source of sources) {
    const value = source[key];
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new InvalidEvent();
      return value;
    }
    if (typeof value === 'string') {
      const isStorable = !value.includes('\0') && value.isWellFormed();
      if (!isStorable || value.length > (longTexts.get(key) ?? MAX_TEXT)) throw new InvalidEvent();
      return value;
    }
  }
  return null;
}

function textOf(sources: readonly Record<string, unknown>[], ...keys: string[]): string | null {
  for (const key of keys) {
    const value = valueOf(sources, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** SDKs send UUIDs. Any other text gets one of its own, the same each time. */
function idOf(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The paywall of a workflow is in its id. */
function paywallOfWorkflow(workflowId: string | null): string | null {
  return workflowId !== null && /^wf./.test(workflowId) ? workflowId.slice(2) : null;
}

function read(
  event: Record<string, unknown>,
  kind: string,
  { nowMs, signedInAppUserId, paywallOf }: IntakeTerms,
): SdkEvent {
  const { presented_offering_context: presented, properties, context } = event;
  const sources = [event, properties, presented, context].filter(isJsonObject);
  if (sources.some((source) => Object.keys(source).length > MAX_KEYS)) throw new InvalidEvent();
  const id = textOf([event], 'id');
  const appUserId = signedInAppUserId ?? textOf([event], 'app_user_id');
  const sentAtMs = valueOf([event], 'timestamp') ?? valueOf([event], 'timestamp_ms');
  if (id === null || appUserId === null || !isAppUserId(appUserId)) throw new InvalidEvent();
  if (typeof sentAtMs !== 'number' || sentAtMs < 0) throw new InvalidEvent();
  const session = textOf(sources, 'session_id', 'app_session_id');
  const isClockWrong = sentAtMs > nowMs + DAY_MS;
  const data: Record<string, Value> = {};
  for (const key of storedKeysOf(kind) ?? []) {
    const value = valueOf(sources, key);
    if (value !== null && value !== '') data[key] = value;
  }
  const offeringId = textOf(sources, 'offering_id');
  const offered = isJsonObject(presented) ? textOf([presented], 'paywall_id') : null;
  return {
    id: idOf(id),
    atMs: isClockWrong ? nowMs : Math.floor(sentAtMs),
    isClockWrong,
    kind,
    appUserId,
    paywallId:
      textOf([event], 'paywall_id', 'paywall_rc_public_id') ??
      offered ??
      paywallOfWorkflow(textOf(sources, 'workflow_id')) ??
      (offeringId === null ? null : paywallOf(offeringId)),
    offeringId,
    sessionId: session === null ? null : idOf(session),
    locale: textOf(sources, 'locale')?.replaceAll('-', '_') ?? null,
    data,
  };
}

function accept(event: unknown, terms: IntakeTerms): SdkEvent | DropReason {
  if (terms.setting === 'off') return 'off';
  if (!isJsonObject(event)) return 'invalid';
  // Web SDKs and workflows name the kind in `event_name`.
  const kind = [event.type, event.event_name].find(
    (name) => typeof name === 'string' && storedKeysOf(name) !== null,
  );
  if (typeof kind !== 'string') return 'unknown_type';
  if (terms.setting === 'essential' && !isEssential(kind, event.component_type)) return 'not_essential';
  try {
    const accepted = read(event, kind, terms);
    return accepted.atMs < terms.nowMs - terms.retentionDays * DAY_MS ? 'too_old' : accepted;
  } catch (error) {
    if (error instanceof InvalidEvent) return 'invalid';
    throw error;
  }
}

function eventsIn(body: unknown): unknown[] | null {
  if (!Buffer.isBuffer(body)) return null;
  try {
    const parsed = parseJson(body, BODY_LIMITS);
    return isJsonObject(parsed) && Array.isArray(parsed.events) ? parsed.events : null;
  } catch {
    return null;
  }
}

/** Reads the events that a project stores from a body, whatever it contains. */
export function readSdkEvents(body: unknown, terms: IntakeTerms): { events: SdkEvent[]; dropped: Dropped } {
  const dropped: Dropped = new Map();
  const drop = (reason: DropReason, count = 1): void => {
    if (count > 0) dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  };
  const sent = eventsIn(body);
  if (sent === null) {
    drop('malformed');
    return { events: [], dropped };
  }
  drop('too_many', sent.length - MAX_EVENTS);
  const events: SdkEvent[] = [];
  for (const event of sent.slice(0, MAX_EVENTS)) {
    const accepted = accept(event, terms);
    if (typeof accepted === 'string') drop(accepted);
    else events.push(accepted);
  }
  return { events, dropped };
}
