import type { Dataset } from '../datasets.queries.js';
import type { Export } from '../exports.queries.js';
import { bodyOf, changes, emptyForm, formOf, makesFull, problemsOf } from './export-form.js';
import { scheduleText } from './schedule-text.js';

const datasets = [
  { name: 'transactions', version: 5 },
  { name: 'customers', version: 1 },
  { name: 'customers', version: 2 },
] as Dataset[];

const stored = {
  name: 'Nightly',
  destination_id: 'exd_1',
  datasets: [{ name: 'customers', version: 1 }],
  format: 'csv',
  mode: 'incremental',
  environment: 'production',
  schedule: { frequency: 'manual' },
} as Export;

const form = { ...emptyForm('Europe/Berlin', 'exd_1'), name: ' Nightly ' };
const { schedule } = form;

describe('the form of an export', () => {
  it('sends a new data set in its newest version, and a trimmed name', () => {
    expect(bodyOf({ ...form, datasets: ['transactions', 'customers'] }, datasets)).toEqual({
      name: 'Nightly',
      destination_id: 'exd_1',
      datasets: [
        { name: 'transactions', version: 5 },
        { name: 'customers', version: 2 },
      ],
      format: 'csv',
      mode: 'incremental',
      environment: 'production',
      schedule: { frequency: 'daily', at: '03:00', time_zone: 'Europe/Berlin' },
    });
  });

  it.each([
    ['hourly' as const, {}],
    ['manual' as const, {}],
    ['weekly' as const, { weekday: 'monday', at: '03:00', time_zone: 'Europe/Berlin' }],
    ['monthly' as const, { day: 1, at: '03:00', time_zone: 'Europe/Berlin' }],
  ])('sends only the fields of a schedule that is %s', (frequency, fields) => {
    const body = bodyOf({ ...form, schedule: { ...schedule, frequency } }, datasets);
    expect(body.schedule).toEqual({ frequency, ...fields });
  });

  it('changes nothing that was not edited', () => {
    const unchanged = formOf(stored, 'Asia/Tokyo');
    expect(changes(unchanged, stored, datasets)).toEqual({});
    expect(changes({ ...unchanged, name: 'Daily' }, stored, datasets)).toEqual({ name: 'Daily' });
  });

  it('keeps the version of a data set when another one is added', () => {
    const more = { ...formOf(stored, 'Asia/Tokyo'), datasets: ['customers', 'transactions'] };
    expect(changes(more, stored, datasets)).toEqual({
      datasets: [
        { name: 'customers', version: 1 },
        { name: 'transactions', version: 5 },
      ],
    });
  });

  it('knows which changes make the next run full', () => {
    expect(makesFull({ name: 'Daily', schedule: { frequency: 'hourly' } })).toBe(false);
    expect(makesFull({ format: 'parquet' })).toBe(true);
    expect(makesFull({ destination_id: 'exd_2' })).toBe(true);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ destination_id: '' }, 'destination_id'],
    [{ datasets: [] }, 'datasets'],
    [{ schedule: { ...schedule, at: '' } }, 'schedule.at'],
  ])('finds the problem with %j', (change, field) => {
    const problems = Object.entries(problemsOf({ ...form, ...change }));
    expect(problems.filter(([, problem]) => problem !== null).map(([name]) => name)).toEqual([field]);
  });

  it('needs no time for an hourly export', () => {
    const hourly = { ...form, schedule: { ...schedule, frequency: 'hourly' as const, at: '' } };
    expect(Object.values(problemsOf(hourly))).toEqual([null, null, null, null]);
  });
});

describe('the schedule of an export', () => {
  it.each([
    [{ frequency: 'manual' as const }, 'On request'],
    [{ frequency: 'hourly' as const }, 'Every hour'],
    [
      { frequency: 'daily' as const, at: '03:00', time_zone: 'America/New_York' },
      'Every day at 03:00, America/New York',
    ],
    [
      { frequency: 'weekly' as const, weekday: 'friday' as const, at: '23:30', time_zone: 'UTC' },
      'Every Friday at 23:30, UTC',
    ],
    [
      { frequency: 'monthly' as const, day: 28, at: '00:00', time_zone: 'UTC' },
      'On day 28 of every month at 00:00, UTC',
    ],
  ])('is written as a phrase: %j', (value, text) => {
    expect(scheduleText(value)).toBe(text);
  });
});
