import { normalizeEmail } from '../platform/http/bodies/email.js';
import { PasswordResetService } from '../workspace/accounts/password-reset.service.js';
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
    app.get(PasswordResetService, { strict: false }).reset(email, password),
  );
  print(`Changed the password of ${email}; sessions ended: ${ended}.`);
  if (isMade) print(`Password: ${password}`);
}
