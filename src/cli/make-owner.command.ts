import { normalizeEmail } from '../platform/http/bodies/email.js';
import { OperatorService } from '../workspace/accounts/operator.service.js';
import { withApplication } from './application.js';
import { print } from './context.js';

export async function makeOwner(address: string, projectId: string): Promise<void> {
  const email = normalizeEmail(address);
  await withApplication((app) => app.get(OperatorService, { strict: false }).makeOwner(email, projectId));
  print(`${email} is an admin of ${projectId}.`);
}
