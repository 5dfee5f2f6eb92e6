import type { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { type Finding, finding } from './finding.js';

const LONG_MINUTES = 120;

/** Vacuum removes no row that a snapshot of an export can see. */
export function examineExports({ exportSnapshotMinutes: minutes }: Config): Finding[] {
  if (minutes <= LONG_MINUTES) return [];
  return [
    finding(
      'warning',
      `${settings.exportSnapshotMinutes.variable} is ${minutes}: an export may hold back vacuum for that long`,
    ),
  ];
}
