import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ExportScheduleDto } from './export.dto.js';
import type { Schedule } from './export-schedule.js';

/** @throws ApiError 400 naming the field that is missing or does not belong to the frequency */
export function scheduleOf(given: ExportScheduleDto): Schedule {
  const { frequency } = given;
  const needed = neededFields[frequency];
  for (const name of fields) {
    if (needed.includes(name) && given[name] === undefined)
      throw ApiError.parameter(`schedule.${name}`, `A ${frequency} schedule needs schedule.${name}.`);
    if (!needed.includes(name) && given[name] !== undefined)
      throw ApiError.parameter(`schedule.${name}`, `A ${frequency} schedule has no schedule.${name}.`);
  }
  return Object.fromEntries(['frequency', ...needed].map((name) => [name, given[name as 'at']])) as Schedule;
}

const fields = ['weekday', 'day', 'at', 'time_zone'] as const;

const neededFields: Record<Schedule['frequency'], readonly (typeof fields)[number][]> = {
  manual: [],
  hourly: [],
  daily: ['at', 'time_zone'],
  weekly: ['weekday', 'at', 'time_zone'],
  monthly: ['day', 'at', 'time_zone'],
};
