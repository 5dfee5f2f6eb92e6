import type { Account } from '../../api/account.queries.js';
import { DeletePanel } from './delete-panel.js';
import { EmailPanel } from './email-panel.js';
import { NamePanel } from './name-panel.js';

export function ProfileTab({ account }: { account: Account }) {
  return (
    <>
      <NamePanel name={account.user.name} />
      <EmailPanel account={account} />
      <DeletePanel account={account} />
    </>
  );
}
