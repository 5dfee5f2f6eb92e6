import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import type { Warning } from './guard-rails.policy.js';
import type { VariantSums } from './result-metrics.js';

/** One product, or all of them. */
export interface ResultSegment {
  /** `total`, a product id, or `other`. */
  id: string;
  name: string;
  /** By variant, with the control first. */
  variants: VariantSums[];
}

export interface ResultChecks {
  isMismatch: boolean;
  pValue: number;
  contaminated: number;
  /** Customers that each variant needs for the primary metric; null if unknown. */
  recommendedMinCustomers: number | null;
  hasEnoughData: boolean;
  warnings: Warning[];
}

export interface ExperimentResults {
  experiment: Experiment;
  /** The total comes first. */
  segments: ResultSegment[];
  checks: ResultChecks;
  computedAtMs: number;
}
