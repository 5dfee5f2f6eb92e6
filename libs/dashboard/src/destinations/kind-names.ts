/** `trial_started` as "Trial started". */
export function kindName(kind: string): string {
  const text = kind.replace('non_', 'non-').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
