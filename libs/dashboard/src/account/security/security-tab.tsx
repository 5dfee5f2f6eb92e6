import type { Account } from '../../api/account.queries.js';
import { PasswordPanel } from './password-panel.js';
import { TwoFactorPanel } from './two-factor-panel.js';

export function SecurityTab({ account }: { account: Account }) {
  return (
    <>
      <PasswordPanel user={account.user} />
      <TwoFactorPanel user={account.user} />
    </>
  );
}
