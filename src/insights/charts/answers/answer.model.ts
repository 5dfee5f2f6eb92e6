/** A chart's answer, from which both JSON and CSV are created. */
export interface AnswerMeasure {
  id: string;
  name: string;
  description: string;
  unit: '$' | '#' | '%';
  precision: number;
}

export interface AnswerSegment {
  id: string;
  name: string;
  isTotal: boolean;
  isOther: boolean;
}

export interface AnswerPeriod {
  name: string;
  unit: '$' | '#' | '%';
  scale: 'absolute' | 'relative';
}

export interface SeriesValue {
  /** First day of the bucket (its start). */
  bucketMs: number;
  measure: number;
  segment: number;
  value: number;
  incomplete: boolean;
}

export interface TableValue {
  /** First day of the cohort, `Total`, or the name of a segment. */
  cohort: number | string;
  period: number;
  value: number;
  incomplete: boolean;
}

/** Values by measure name; null for a rate without a denominator. */
export type SummaryRow = Record<string, number | null>;

/** By segment first if the question has segments. */
export type SummaryPart = SummaryRow | Record<string, SummaryRow>;

/** Buckets that a summary averages over. Averages of rates use only those with a denominator. */
export interface AveragedOver {
  buckets: number;
  firstMs: number;
  lastMs: number;
}

export interface SeriesAnswer {
  form: 'series';
  measures: AnswerMeasure[];
  segments: AnswerSegment[] | null;
  values: SeriesValue[];
  summary: Partial<Record<'total' | 'average', SummaryPart>>;
  /** Null if no bucket of the range has started. */
  averagedOver: AveragedOver | null;
  lastComputedAtMs: number;
}

export interface TableAnswer {
  form: 'table';
  periods: AnswerPeriod[];
  values: TableValue[];
  lastComputedAtMs: number;
}

export type ChartAnswer = SeriesAnswer | TableAnswer;
