import type { AttributePath } from './attribute-path.js';

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof comparisons)[number];
export type Literal = string | number | boolean | null;

/** RFC 7644, 3.4.2.2. The path of an attribute that no schema has is null and matches nothing. */
export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; path: AttributePath | null }
  | { kind: 'compare'; path: AttributePath | null; operator: Comparison; value: Literal }
  /** `emails[type eq "work"]`: one element must match the whole filter, whose paths start at the element. */
  | { kind: 'element'; path: AttributePath | null; filter: Filter };
