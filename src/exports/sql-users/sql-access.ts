import type { Config } from '../../platform/config/config.js';

/** A hosted server has companies that compete, and the database shows each how much data all have. */
export function sqlAccessOf({ edition, sqlAccess }: Config): Config['sqlAccess'] {
  return edition === 'cloud' ? 'off' : sqlAccess;
}
