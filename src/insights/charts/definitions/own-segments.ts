interface OwnSegmentTerms {
  name: string;
  group: string;
  /** Dimension whose values have the same names. */
  namedLike?: string;
}

/** Segments of single charts, which no other chart can be split or filtered by. */
export const ownSegments = {
  expiration_month: { name: 'Expiration month', group: 'Purchase' },
  refund_reason: { name: 'Refund reason', group: 'Refund request' },
  product: { name: 'Product', group: 'Purchase', namedLike: 'product_id' },
  app: { name: 'App', group: 'Purchase', namedLike: 'app_id' },
  policy: { name: 'Refund policy', group: 'Refund request' },
  answer: { name: 'Answer', group: 'Refund request' },
} as const satisfies Record<string, OwnSegmentTerms>;

export type OwnSegment = keyof typeof ownSegments;

export function isOwnSegment(id: string): id is OwnSegment {
  return Object.hasOwn(ownSegments, id);
}

/** Returns the dimension that names the values of a segment. */
export function namesLike(segment: OwnSegment): string {
  const terms: OwnSegmentTerms = ownSegments[segment];
  return terms.namedLike ?? segment;
}
