import type { Schema } from '../../../api/types.js';
import { comparisonSentence } from './comparison-text.js';

type Comparison = Schema<'StoreProductComparisonDto'>;

const comparison = (missingHere: number, missingInStore: number, fields: string[]): Comparison =>
  ({
    missing_here: Array.from({ length: missingHere }),
    missing_in_store: Array.from({ length: missingInStore }),
    different: fields.map((field) => ({ field })),
  }) as Comparison;

describe('the sentence about a comparison', () => {
  it.each([
    [comparison(0, 0, []), 'The products here and in the store agree.'],
    [
      comparison(3, 1, ['duration', 'duration']),
      '3 in the store are not here; 1 here is not in the store; 2 periods differ.',
    ],
    [
      comparison(1, 2, ['state']),
      '1 in the store is not here; 2 here are not in the store; 1 state differs.',
    ],
  ])('counts what is missing and what differs', (given, sentence) => {
    expect(comparisonSentence(given)).toBe(sentence);
  });
});
