/** Options of a select with all time zones. Includes the chosen one, which this browser may know by another name. */
export function timeZoneOptions(chosen: string): { value: string; label: string }[] {
  const zones = new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
