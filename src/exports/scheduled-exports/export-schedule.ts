export const frequencies = ['manual', 'hourly', 'daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof frequencies)[number];

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** When an export runs. Hours are those of UTC. */
export type Schedule =
  | { frequency: 'manual' }
  | { frequency: 'hourly' }
  | { frequency: 'daily'; at: string; time_zone: string }
  | { frequency: 'weekly'; weekday: Weekday; at: string; time_zone: string }
  | { frequency: 'monthly'; day: number; at: string; time_zone: string };
