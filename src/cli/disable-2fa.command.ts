import { normalizeEmail } from '../platform/http/bodies/email.js';
import { OperatorService } from '../workspace/accounts/operator.service.js';
import { withApplication } from './application.js';
import { print } from './context.js';

/** For users who lost both the authenticator app and the recovery codes. */
export async function disableTwoFactor(address: string): Promise<void> {
  const email = normalizeEmail(address);
  await withApplication((app) => app.get(OperatorService, { strict: false }).disableTwoFactor(email));
  print(`Two-factor of ${email} is off.`);
}
