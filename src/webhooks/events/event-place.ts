import type { Place, PlaceKind } from '../../platform/http/list-place.js';

/** What logs of events are sorted by. */
export interface EventTimes {
  id: string;
  occurredAt: Date;
  createdAt: Date;
}

export const eventPlaceKinds: readonly PlaceKind[] = ['time', 'time'];

/** The position of an event in a log. */
export function placeOfEvent({ occurredAt, createdAt, id }: EventTimes): Place {
  return [occurredAt, createdAt, id];
}
