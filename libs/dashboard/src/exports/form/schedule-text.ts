import type { Schedule } from './export-form.js';

export const weekdays: readonly { value: NonNullable<Schedule['weekday']>; label: string }[] = [
  { value: 'monday', label: 'Monday' },
  { value: 'tuesday', label: 'Tuesday' },
  { value: 'wednesday', label: 'Wednesday' },
  { value: 'thursday', label: 'Thursday' },
  { value: 'friday', label: 'Friday' },
  { value: 'saturday', label: 'Saturday' },
  { value: 'sunday', label: 'Sunday' },
];

/** `Every day at 03:00, Europe/Berlin`. */
export function scheduleText({ frequency, weekday, day, at, time_zone: zone }: Schedule): string {
  const time = ` at ${at ?? ''}, ${zone?.replaceAll('_', ' ') ?? ''}`;
  switch (frequency) {
    case 'manual':
      return 'On request';
    case 'hourly':
      return 'Every hour';
    case 'daily':
      return `Every day${time}`;
    case 'weekly':
      return `Every ${weekdays.find(({ value }) => value === weekday)?.label ?? ''}${time}`;
    case 'monthly':
      return `On day ${day ?? 1} of every month${time}`;
  }
}
