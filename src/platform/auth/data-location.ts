import type { Region } from '../config/enterprise-settings.js';

/** Where the data of a project is that another deployment has. */
export interface ForeignRegion {
  region: Region;
  /** Null if this deployment does not know the other one's address. */
  apiUrl: string | null;
  appUrl: string | null;
}

/** Which projects another deployment has. It is asked on the hot path, so it answers from memory. */
export abstract class DataLocation {
  /** Whether there are any: nothing else is asked otherwise. */
  abstract readonly hasForeign: boolean;

  /** Null for a project of this deployment. */
  abstract foreign(projectId: string): ForeignRegion | null;
}
