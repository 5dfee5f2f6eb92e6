import { normalizeEmail } from '../platform/http/bodies/email.js';
import { PasswordsService } from '../workspace/accounts/passwords/passwords.service.js';
import { withApplication } from './application.js';
import { print } from './context.js';
import { newPassword } from './new-password.js';

export interface ResetPasswordOptions {
  passwordStdin?: boolean;
}

/** Also ends the account's sessions. */
export async function resetPassword(address: string, options: ResetPasswordOptions): Promise<void> {
  const email = normalizeEmail(address);
  const { password, isMade } = await newPassword(options.passwordStdin);
  const ended = await withApplication((app) =>
    app.get(PasswordsService, { strict: false }).resetByOperator(email, password),
  );
  print(`Changed the password of ${email}; sessions ended: ${ended}.`);
  if (isMade) print(`Password: ${password}`);
}
