import { isJsonObject } from '../../kernel/index.js';
import type { Definition, SettingsProblem } from '../definition.js';
import type { Kind } from '../event.js';

/** The names that a person chose; null switches a kind off, and in a chat true switches it on. */
export type EventNames = Partial<Record<Kind, string | boolean | null>>;

const MAX_LENGTH = 255;

/** Tools reserve names that begin like this. */
const RESERVED_PREFIXES = ['$', '[Amplitude]'];

function isUsualName(name: string): boolean {
  const isPrintable = name.length >= 1 && name.length <= MAX_LENGTH && !/[\p{Cc}\u2028\u2029]/u.test(name);
  return isPrintable && !RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function problemOfName(definition: Definition, kind: string, name: unknown): string | null {
  if (!Object.hasOwn(definition.names, kind))
    return `${definition.name} does not receive this kind of event.`;
  if (name === null) return null;
  if (definition.category === 'chat') return name === true ? null : 'Choose true or null.';
  if (typeof name !== 'string' || !(definition.isName?.(name) ?? isUsualName(name)))
    return `This is not a name of an event in ${definition.name}.`;
  return null;
}

/** The first problem of the names that a person entered; null if there is none. */
export function checkEventNames(definition: Definition, names: unknown): SettingsProblem | null {
  if (!isJsonObject(names)) return { param: 'event_names', message: 'Enter an object.' };
  const hasNames = Object.values(definition.names).some((name) => name !== null);
  if (!hasNames && Object.keys(names).length > 0)
    return { param: 'event_names', message: `${definition.name} has no names of events.` };
  for (const [kind, name] of Object.entries(names)) {
    const message = problemOfName(definition, kind, name);
    if (message !== null) return { param: `event_names.${kind}`, message };
  }
  return null;
}

/** Only the differences to the default names, which may change in a later version. Only for checked names. */
export function changedEventNames(definition: Definition, names: EventNames): EventNames {
  const entries = Object.entries(names) as [Kind, string | boolean | null][];
  return Object.fromEntries(
    entries.filter(([kind, name]) => name !== true && name !== definition.names[kind]),
  );
}
