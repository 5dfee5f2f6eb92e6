import type { Schema } from '../../../api/types.js';

type Comparison = Schema<'StoreProductComparisonDto'>;

const fieldNames = {
  duration: ['period differs', 'periods differ'],
  type: ['type differs', 'types differ'],
  state: ['state differs', 'states differ'],
} as const;

/** One sentence about a comparison, such as "3 in the store are not here; 2 periods differ." */
export function comparisonSentence({ missing_here, missing_in_store, different }: Comparison): string {
  const parts: string[] = [];
  const count = (number: number, one: string, many: string): void => {
    if (number > 0) parts.push(`${number.toLocaleString()} ${number === 1 ? one : many}`);
  };
  count(missing_here.length, 'in the store is not here', 'in the store are not here');
  count(missing_in_store.length, 'here is not in the store', 'here are not in the store');
  for (const field of ['duration', 'type', 'state'] as const) {
    const [one, many] = fieldNames[field];
    count(different.filter((item) => item.field === field).length, one, many);
  }
  return parts.length === 0 ? 'The products here and in the store agree.' : `${parts.join('; ')}.`;
}
