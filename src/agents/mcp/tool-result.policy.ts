import { isJsonObject } from '../../../libs/kernel/index.js';

type Json = Record<string, unknown>;

/** Characters of JSON. Longer responses fill a model's context with data it did not request. */
export const MAX_CHARACTERS = 60_000;

const MASK = '***';
const SECRET_NAME = /token|password|secret/i;
/** Objects whose keys are attribute names. */
const ATTRIBUTE_MAPS = new Set(['attributes', 'subscriber_attributes']);
/** Secrets that REST returns only once, to their owner. */
const NEVER_SHOWN = new Set(['signing_secret', 'secret']);

function cursorIn(nextPage: unknown): string | null {
  if (typeof nextPage !== 'string') return null;
  return new URLSearchParams(nextPage.split('?')[1] ?? '').get('starting_after');
}

function isList(value: Json): boolean {
  return value.object === 'list' && Array.isArray(value.items);
}

/** Masks customer attributes that may contain secrets, because apps choose their names. */
function maskedAttributes(attributes: Json): Json {
  const entries = Object.entries(attributes).map(([name, value]) => {
    if (!SECRET_NAME.test(name)) return [name, shown(value)];
    return [name, isJsonObject(value) ? { ...value, value: MASK } : MASK];
  });
  return Object.fromEntries(entries) as Json;
}

function shownField(name: string, value: unknown): unknown {
  return ATTRIBUTE_MAPS.has(name) && isJsonObject(value) && !isList(value)
    ? maskedAttributes(value)
    : shown(value);
}

/** Converts a REST response: lists get a cursor instead of a path, and secrets are removed. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (!isJsonObject(value)) return value;
  if (isList(value)) {
    const cursor = cursorIn(value.next_page);
    return { items: shown(value.items), next_cursor: cursor, has_more: cursor !== null };
  }
  const isSecretAttribute =
    typeof value.name === 'string' && SECRET_NAME.test(value.name) && 'value' in value;
  const entries = Object.entries(isSecretAttribute ? { ...value, value: MASK } : value)
    .filter(([name]) => !NEVER_SHOWN.has(name))
    .map(([name, inner]) => [name, shownField(name, inner)]);
  return Object.fromEntries(entries) as Json;
}

export function shownAnswer(answer: Json): Json {
  return shown(answer) as Json;
}

/** Returns how many items of a list fit; null if all do, or if the response is not a list. */
export function itemsThatFit(answer: Json, max = MAX_CHARACTERS): number | null {
  const { items } = answer;
  if (!Array.isArray(items) || JSON.stringify(answer).length <= max) return null;
  let length = JSON.stringify({ ...answer, items: [], next_cursor: ' '.repeat(300) }).length;
  const over = items.findIndex((item) => (length += JSON.stringify(item).length + 1) > max);
  return over === -1 ? items.length : over;
}

/** A list and the object that contains it. */
interface HeldList {
  /** Display name: the `items` of an envelope are named after the envelope. */
  name: string;
  holder: Json;
  key: string;
  length: number;
}

function listsIn(value: unknown, name = ''): HeldList[] {
  if (Array.isArray(value)) return value.flatMap((inner) => listsIn(inner, name));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]): HeldList[] => {
    const shownName = key === 'items' && name !== '' ? name : key;
    const within = listsIn(inner, shownName);
    if (!Array.isArray(inner) || inner.length === 0) return within;
    return [{ name: shownName, holder: value, key, length: JSON.stringify(inner).length }, ...within];
  });
}

/** Truncates the largest lists of an object until it fits; `truncated` names them. */
export function fitted(answer: Json, max = MAX_CHARACTERS): Json {
  if (JSON.stringify(answer).length <= max) return answer;
  const cut = structuredClone(answer);
  const truncated = new Set<string>();
  while (JSON.stringify({ ...cut, truncated: [...truncated] }).length > max) {
    const [largest] = listsIn(cut).sort((a, b) => b.length - a.length);
    if (!largest) return { truncated: ['*'], message: 'The answer is too large to be shown.' };
    const list = largest.holder[largest.key] as unknown[];
    largest.holder[largest.key] = list.slice(0, Math.floor(list.length / 2));
    truncated.add(largest.name);
  }
  return { ...cut, truncated: [...truncated] };
}
