import { CopyButton } from '../ui/text/copy-button.js';
import { CopyId } from '../ui/text/copy-id.js';
import { DataText } from '../ui/text/data-text.js';
import type { CustomerNames } from './customer-name.js';

/** The line below the title: the app user id of a customer with a name. Its height never changes. */
export function CustomerIdLine({ id, names: { name, email } }: { id: string; names: CustomerNames }) {
  return (
    <span className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 text-sm">
      {email !== null && <DataText>{email}</DataText>}
      {name === null ? (
        <span className="inline-flex items-center gap-0.5">
          App user id <CopyButton value={id} label="app user id" />
        </span>
      ) : (
        <CopyId id={id} label="app user id" />
      )}
    </span>
  );
}
