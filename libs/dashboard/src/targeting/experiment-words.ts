import type { Tone } from '../ui/tone.js';
import type { Experiment, ExperimentAction, ExperimentStatus } from './experiments.queries.js';

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
    { id: 'a', label: 'Control', offering: a },
    { id: 'b', label: 'Treatment', offering: b },
    { id: 'c', label: 'Treatment C', offering: c },
    { id: 'd', label: 'Treatment D', offering: d },
  ] as const;
  const present = all.filter((one) => one.offering !== null);
  return present.map((one, index) => ({
    ...one,
    offering: one.offering as Experiment['offering_a'],
    share: weights?.[index] ?? 100 / present.length,
  }));
}
