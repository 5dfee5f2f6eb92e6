import type { Device } from '../../customers/customers/last-seen/device.js';
import type { CallingApp } from '../customer-sessions/customer-sessions.service.js';
import type { LoginBody } from './sign-in.body.js';

/** A request to sign a customer in. */
export interface Login extends LoginBody {
  app: CallingApp;
  /** This server's name in its tokens. */
  issuer: string;
  ip: string | undefined;
  device: Device | null;
  requestId: string;
}
