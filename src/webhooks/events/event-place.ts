import type { Place, PlaceKind } from '../../platform/http/lists/list-place.js';

export interface EventTimes {
  id: string;
  occurredAt: Date;
  createdAt: Date;
}

export const eventPlaceKinds: readonly PlaceKind[] = ['time', 'time'];

export function placeOfEvent({ occurredAt, createdAt, id }: EventTimes): Place {
  return [occurredAt, createdAt, id];
}
