import { isJsonObject } from '../kernel/index.js';
import type { CallResponse, Definition, Verdict } from './definition.js';

const DEFAULT_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;

export function limited(waitMs = DEFAULT_WAIT_MS): Verdict {
  const ms = Number.isFinite(waitMs) ? Math.ceil(waitMs) : DEFAULT_WAIT_MS;
  return { class: 'limited', waitMs: Math.min(Math.max(ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS) };
}

export function rejected(detail?: unknown): Verdict {
  return typeof detail === 'string' && detail !== '' ? { class: 'rejected', detail } : { class: 'rejected' };
}

export function refused(detail?: unknown): Verdict {
  return typeof detail === 'string' && detail !== '' ? { class: 'refused', detail } : { class: 'refused' };
}

/** The wait of a `Retry-After` header, in seconds or as a date. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
}

/** The body if it is a JSON object. */
export function objectOf({ body }: CallResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The first item of a list in an answer; undefined if there is none. */
export function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list as unknown[])[0] : undefined;
}

export const isSuccess = ({ status }: CallResponse): boolean => status >= 200 && status < 300;

function defaultVerdict(response: CallResponse, nowMs: number): Verdict {
  const { status, headers } = response;
  if (isSuccess(response)) return { class: 'delivered' };
  if (status === 429) return limited(retryAfterMs(headers['retry-after'], nowMs));
  if (status === 401 || status === 403) return refused();
  if (status === 410) return { class: 'gone' };
  const isTemporary = status === 408 || status === 425 || status >= 500 || status < 200;
  return isTemporary ? { class: 'retry' } : rejected(messageOf(response));
}

/** The explanation under one of the usual names. */
function messageOf(response: CallResponse): string | undefined {
  const { error, message } = objectOf(response);
  const texts = [message, error, isJsonObject(error) ? error.message : undefined];
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}

/** Decides whether a delivery is complete, is retried or failed. `response` is null if there was no answer. */
export function verdictOf(
  definition: Pick<Definition, 'verdict'>,
  response: CallResponse | null,
  step: number,
  nowMs: number,
): Verdict {
  if (response === null) return { class: 'retry' };
  return definition.verdict?.(response, step, nowMs) ?? defaultVerdict(response, nowMs);
}
