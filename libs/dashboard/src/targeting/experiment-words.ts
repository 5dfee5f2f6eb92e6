import type { Tone } from '../ui/tone.js';
import type { Experiment, ExperimentAction, ExperimentStatus } from './experiments.queries.js';
import { text } from './experiments.text.js';

export const statusTones: Record<ExperimentStatus, Tone> = {
  draft: 'neutral',
  running: 'good',
  paused: 'warn',
  stopped: 'neutral',
};

/** Actions available in each status. */
export const nextActions: Record<ExperimentStatus, readonly ExperimentAction[]> = {
  draft: ['start'],
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: [],
};

export interface Variant {
  id: 'a' | 'b' | 'c' | 'd';
  label: string;
  offering: Experiment['offering_a'];
  /** Percent. */
  share: number;
}

/** The experiment's variants, with the control first. */
export function variantsOf(experiment: Experiment): Variant[] {
  const { offering_a: a, offering_b: b, offering_c: c, offering_d: d, weights } = experiment;
  const all = [
    { id: 'a', label: text.control, offering: a },
    { id: 'b', label: text.treatment, offering: b },
    { id: 'c', label: text.third, offering: c },
    { id: 'd', label: text.fourth, offering: d },
  ] as const;
  const present = all.filter((one) => one.offering !== null);
  return present.map((one, index) => ({
    ...one,
    offering: one.offering as Experiment['offering_a'],
    share: weights?.[index] ?? 100 / present.length,
  }));
}
