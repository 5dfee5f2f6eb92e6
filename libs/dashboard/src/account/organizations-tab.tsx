import { useInfiniteQuery } from '@tanstack/react-query';
import { organizationList } from '../api/organizations.queries.js';
import type { Schema } from '../api/types.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';
import { useLeaveOrganization } from './account.queries.js';
import { text } from './account.text.js';
import { EndableList } from './endable-list.js';

type Organization = Schema<'OrganizationDto'>;

const columnsOf = (onEnd: (organization: Organization) => void): Column<Organization>[] => [
  {
    id: 'name',
    header: text.organizationColumns.name,
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'role',
    header: text.organizationColumns.role,
    label: text.organizationColumns.role,
    width: '8rem',
    cell: ({ your_role: role }) => role,
  },
  {
    id: 'leave',
    header: <span className="sr-only">{text.leave}</span>,
    width: '7rem',
    align: 'end',
    priority: 1,
    cell: (organization) => (
      <Button size="sm" aria-label={text.leaveNamed(organization.name)} onClick={() => onEnd(organization)}>
        {text.leave}
      </Button>
    ),
  },
];

export function OrganizationsTab({ userId }: { userId: string }) {
  const organizations = useInfiniteQuery(organizationList);
  const useLeave = (onDone: () => void) => useLeaveOrganization(userId, onDone);
  return (
    <Panel title={text.organizations} description={text.organizationsSentence} padded={false}>
      <EndableList
        label={text.organizations}
        query={organizations}
        queryKey={organizationList.queryKey}
        things="organizations"
        empty={{ sentence: text.noOrganizations }}
        columnsOf={columnsOf}
        useEnd={useLeave}
        texts={{ title: text.leaveTitle, confirm: text.leave, done: text.left }}
        sentence={({ id, name }) => (
          <>
            <p className="mb-3">{text.leaveSentence(name)}</p>
            <ShowCall
              operation="DELETE /v2/organizations/{org_id}/members/{user_id}"
              path={{ org_id: id, user_id: userId }}
            />
          </>
        )}
      />
    </Panel>
  );
}
