/** All ids in the new order, after a rule took the place of another one. */
export function movedTo(ids: readonly string[], id: string, place: string): string[] {
  const to = ids.indexOf(place);
  const rest = ids.filter((one) => one !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
