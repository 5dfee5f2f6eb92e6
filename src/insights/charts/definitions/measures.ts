import type { Figure } from './figures.js';
import type { Measure, Sums } from './chart.model.js';

type Value = (sums: Sums) => number;

const flow =
  (figure: Figure): Value =>
  (sums) =>
    sums.flow(figure);

export function count(id: string, name: string, description: string, figure: Figure | Value): Measure {
  const value = typeof figure === 'function' ? figure : flow(figure);
  return { id, name, description, unit: '#', summary: 'both', value };
}

export function money(id: string, name: string, description: string, figure: Figure | Value): Measure {
  const value = typeof figure === 'function' ? figure : flow(figure);
  return { id, name, description, unit: '$', summary: 'both', value };
}

/** A rate in percent. */
export function rate(id: string, name: string, description: string, part: Value, whole: Value): Measure {
  return {
    id,
    name,
    description,
    unit: '%',
    summary: 'both',
    value: (sums) => (whole(sums) === 0 ? 0 : (100 * part(sums)) / whole(sums)),
    whole,
  };
}

export function moneyPer(
  id: string,
  name: string,
  description: string,
  part: Figure,
  whole: Figure,
): Measure {
  return {
    id,
    name,
    description,
    unit: '$',
    summary: 'both',
    value: (sums) => (sums.flow(whole) === 0 ? 0 : sums.flow(part) / sums.flow(whole)),
    whole: (sums) => sums.flow(whole),
  };
}

export function stock(measure: Measure): Measure {
  return { ...measure, summary: 'average' };
}
