import { isEmail, normalizeEmail } from '../platform/http/bodies/email.js';
import { NewAccountsService } from '../workspace/accounts/sign-up/new-accounts.service.js';
import { withApplication } from './application.js';
import { CommandFailed } from './command-failed.js';
import { print } from './context.js';
import { newPassword } from './new-password.js';

export interface OwnerOptions {
  email: string;
  name?: string;
  project: string;
  passwordStdin?: boolean;
}

/**
 * Also creates a project. Works even if sign-up is closed. Reads the password from standard input, or generates one.
 */
export async function createOwner(options: OwnerOptions): Promise<void> {
  const email = normalizeEmail(options.email);
  if (!isEmail(email)) throw new CommandFailed(`${options.email} is not an email address.`);
  const { password, isMade } = await newPassword(options.passwordStdin);
  const account = { email, password, name: options.name ?? null, projectName: options.project };
  await withApplication((app) => app.get(NewAccountsService, { strict: false }).createOwner(account));
  print(`Created ${email}, the owner of the project ${JSON.stringify(options.project)}.`);
  if (isMade) print(`Password: ${password}`);
}
