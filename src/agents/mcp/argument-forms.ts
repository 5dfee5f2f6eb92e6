import { addPeriods, parsePeriod } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { parameterError } from './rest-error.js';
import type { ArgumentForm } from './tool.js';

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
const SHORT_DURATION = /^(\d{1,4})([hdwHDW])$/;

function durationEnd(text: string, nowMs: number): number | null {
  const [, count, unit = ''] = SHORT_DURATION.exec(text) ?? [];
  const iso =
    count === undefined
      ? text
      : unit.toLowerCase() === 'h'
        ? `PT${count}H`
        : `P${count}${unit.toUpperCase()}`;
  const period = parsePeriod(iso);
  return period && addPeriods(nowMs, period);
}

/** Epoch milliseconds. @throws RestError naming the argument */
export function timeOf(name: string, value: unknown, form: ArgumentForm, nowMs: number): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d{1,16}$/.test(value)) return Number(value);
  const ms = ISO_TIME.test(value) ? Date.parse(value) : NaN;
  if (!Number.isNaN(ms)) return ms;
  const end = form === 'time_or_duration' ? durationEnd(value, nowMs) : null;
  if (end !== null) return end;
  const duration = form === 'time_or_duration' ? ', or a duration such as 30d' : '';
  throw parameterError(name, `${name} must be a time in epoch milliseconds or ISO 8601${duration}.`);
}

interface Named {
  id: string;
}

/** Resolves a name to an id, because REST accepts only ids. Unknown names pass through; REST answers 404. */
function idOf(name: string, value: string, found: readonly Named[]): string {
  const [first, ...others] = found;
  if (!first) return value;
  if (others.length === 0 || first.id === value) return first.id;
  throw parameterError(
    name,
    `${name} ${JSON.stringify(value)} is the name of ${found.length} objects; give an id.`,
  );
}

function matching(catalog: Catalog, value: string, form: ArgumentForm): Named[] {
  if (form === 'entitlement') return [catalog.findEntitlement(value)].filter((found) => found !== undefined);
  if (form === 'offering') return [catalog.findOffering(value)].filter((found) => found !== undefined);
  if (form === 'package') {
    const packages = [...catalog.offerings.values()].flatMap((offering) => offering.packages);
    const byId = packages.filter(({ id }) => id === value);
    return byId.length > 0 ? byId : packages.filter(({ lookupKey }) => lookupKey === value);
  }
  const product = catalog.products.get(value);
  if (product) return [product];
  return [...catalog.products.values()].filter(({ storeIdentifier }) => storeIdentifier === value);
}

const ID_OF: Partial<Record<ArgumentForm, RegExp>> = {
  entitlement: /^entl[0-9a-z]{10}$/,
  offering: /^ofrng[0-9a-z]{10}$/,
  package: /^pkge[0-9a-z]{10}$/,
  product: /^prod[0-9a-z]{10}$/,
};

/** Whether every value is already an id, so that the catalog need not be read. */
export function areIds(value: unknown, form: ArgumentForm): boolean {
  return [value].flat().every((text) => typeof text !== 'string' || ID_OF[form]?.test(text));
}

/** Resolves lookup keys and store identifiers to ids. @throws RestError for an ambiguous name */
export function idsOf(name: string, value: unknown, form: ArgumentForm, catalog: Catalog): unknown {
  const single = (text: unknown): unknown =>
    typeof text === 'string' ? idOf(name, text, matching(catalog, text, form)) : text;
  return Array.isArray(value) ? value.map(single) : single(value);
}
