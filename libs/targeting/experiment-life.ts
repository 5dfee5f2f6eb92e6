import type { ExperimentStatus } from './model.js';

export const experimentActions = ['start', 'pause', 'resume', 'stop'] as const;
export type ExperimentAction = (typeof experimentActions)[number];

const transitions: Record<ExperimentAction, Partial<Record<ExperimentStatus, ExperimentStatus>>> = {
  start: { draft: 'running' },
  pause: { running: 'paused' },
  resume: { paused: 'running' },
  stop: { running: 'stopped', paused: 'stopped' },
};

/** Returns the status after an action; null if the action is not possible. */
export function statusAfter(status: ExperimentStatus, action: ExperimentAction): ExperimentStatus | null {
  return transitions[action][status] ?? null;
}

const harmless = [
  'display_name',
  'notes',
  'primary_metric',
  'secondary_metrics',
  'experiment_duration_settings',
] as const;

const editable: Record<ExperimentStatus, readonly string[] | 'everything'> = {
  draft: 'everything',
  running: [...harmless, 'enrollment_percentage', 'weights'],
  paused: harmless,
  stopped: ['display_name', 'notes'],
};

/** Returns the first field that cannot be changed in this status; null if all can. */
export function forbiddenEdit(status: ExperimentStatus, fields: readonly string[]): string | null {
  const allowed = editable[status];
  if (allowed === 'everything') return null;
  return fields.find((field) => !allowed.includes(field)) ?? null;
}

export function mayDelete(status: ExperimentStatus): boolean {
  return status === 'draft' || status === 'stopped';
}
