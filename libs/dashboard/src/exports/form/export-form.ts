import type { Dataset } from '../datasets.queries.js';
import type { Export } from '../exports.queries.js';
import type { ExportChanges, NewExport } from '../exports.writes.js';

export type Schedule = Export['schedule'];

/** Content of the form, as typed. */
export interface ExportForm {
  name: string;
  destination_id: string;
  datasets: string[];
  format: Export['format'];
  mode: Export['mode'];
  environment: Export['environment'];
  schedule: {
    frequency: Schedule['frequency'];
    weekday: NonNullable<Schedule['weekday']>;
    day: string;
    at: string;
    time_zone: string;
  };
}

/** A new export every night, in the time zone of the browser. */
export const emptyForm = (timeZone: string, destinationId: string): ExportForm => ({
  name: '',
  destination_id: destinationId,
  datasets: ['transactions'],
  format: 'csv',
  mode: 'incremental',
  environment: 'production',
  schedule: { frequency: 'daily', weekday: 'monday', day: '1', at: '03:00', time_zone: timeZone },
});

export const formOf = (found: Export, timeZone: string): ExportForm => ({
  name: found.name,
  destination_id: found.destination_id,
  datasets: found.datasets.map(({ name }) => name),
  format: found.format,
  mode: found.mode,
  environment: found.environment,
  schedule: {
    frequency: found.schedule.frequency,
    weekday: found.schedule.weekday ?? 'monday',
    day: String(found.schedule.day ?? 1),
    at: found.schedule.at ?? '03:00',
    time_zone: found.schedule.time_zone ?? timeZone,
  },
});

/** Validates before anything is sent. */
export const problemsOf = ({ name, destination_id: destination, datasets, schedule }: ExportForm) => ({
  name: name.trim() === '' ? 'Enter a name.' : null,
  destination_id: destination === '' ? 'Choose a destination.' : null,
  datasets: datasets.length === 0 ? 'Choose at least one data set.' : null,
  'schedule.at': hasTime(schedule) && !/^\d\d:\d\d$/.test(schedule.at) ? 'Enter a time.' : null,
});

export const hasTime = ({ frequency }: { frequency: Schedule['frequency'] }): boolean =>
  frequency === 'daily' || frequency === 'weekly' || frequency === 'monthly';

/** A schedule has only the fields of its frequency. */
function scheduleOf({ frequency, weekday, day, at, time_zone }: ExportForm['schedule']): Schedule {
  if (frequency === 'weekly') return { frequency, weekday, at, time_zone };
  if (frequency === 'monthly') return { frequency, day: Number(day), at, time_zone };
  return frequency === 'daily' ? { frequency, at, time_zone } : { frequency };
}

/** A data set keeps the version with which it was chosen; a new one has the newest. */
function datasetsOf(names: readonly string[], known: readonly Dataset[], before: Export['datasets']) {
  const newest = (name: string): number =>
    Math.max(...known.flatMap((each) => (each.name === name ? [each.version] : [])));
  return names.map((name) => ({
    name: name as Export['datasets'][number]['name'],
    version: before.find((each) => each.name === name)?.version ?? newest(name),
  }));
}

export const bodyOf = (
  form: ExportForm,
  known: readonly Dataset[],
  before: Export['datasets'] = [],
): NewExport => ({
  name: form.name.trim(),
  destination_id: form.destination_id,
  datasets: datasetsOf(form.datasets, known, before),
  format: form.format,
  mode: form.mode,
  schedule: scheduleOf(form.schedule),
  environment: form.environment,
});

/** Returns the changed fields. */
export function changes(form: ExportForm, found: Export, known: readonly Dataset[]): ExportChanges {
  const body = bodyOf(form, known, found.datasets);
  const before = bodyOf(formOf(found, form.schedule.time_zone), known, found.datasets);
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof NewExport]),
    ),
  );
}

/** Changes that make the next run deliver every row. */
export const makesFull = ({ datasets, format, environment, destination_id: destination }: ExportChanges) =>
  [datasets, format, environment, destination].some((value) => value !== undefined);
