import type { Device } from '../../customers/customers/last-seen/device.js';

export interface RedeemRequest {
  projectId: string;
  /** The calling app; null for a backend. */
  appId: string | null;
  appUserId: string;
  token: unknown;
  /** Null for a backend's request, which does not update `last_seen`. */
  device: Device | null;
  /** The platform as named in the event. */
  platform: string | null;
  requestId: string;
}
