import type { Organization, Region } from '../api/enterprise.types.js';
import { regionNames } from './labels.js';

/** The regions available on this server, and the current one. */
export function regionOptions(organization: Organization | undefined, current: Region) {
  const selectable = organization?.selectable_regions ?? [];
  return [...new Set([...selectable, current])].map((value) => ({ value, label: regionNames[value] }));
}
