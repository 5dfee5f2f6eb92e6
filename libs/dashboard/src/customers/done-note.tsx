import { Link } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { DataText } from '../ui/text/data-text.js';
import { Icon } from '../ui/icons.js';
import type { Done } from './actions/action.js';
import { useCustomer } from './customer-context.js';

/** The last action on this page, with a link to the audit log. */
export function DoneNote({ done, customerId }: { done: Done; customerId: string }) {
  const { projectId } = useCustomer();
  const mayRead = useMay('listAuditLogs');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line bg-panel px-4 py-2">
      <Icon name="success" className="text-good" />
      <DataText>{done.title}</DataText>
      {mayRead.allowed && (
        <Link
          to="/projects/$projectId/settings/audit"
          params={{ projectId }}
          search={{ customer: done.target ?? customerId }}
        >
          Show the audit entry
        </Link>
      )}
    </div>
  );
}
