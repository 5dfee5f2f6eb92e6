import { useInfiniteQuery } from '@tanstack/react-query';
import { organizationList } from '../api/organizations.queries.js';
import type { Schema } from '../api/types.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';
import { useLeaveOrganization } from './account.queries.js';
import { EndableList } from './endable-list.js';

type Organization = Schema<'OrganizationDto'>;

const columnsOf = (onEnd: (organization: Organization) => void): Column<Organization>[] => [
  {
    id: 'name',
    header: 'Organization',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'role',
    header: 'Role',
    label: 'Role',
    width: '8rem',
    cell: ({ your_role: role }) => role,
  },
  {
    id: 'leave',
    header: <span className="sr-only">Leave</span>,
    width: '7rem',
    align: 'end',
    priority: 1,
    cell: (organization) => (
      <Button size="sm" aria-label={`Leave ${organization.name}`} onClick={() => onEnd(organization)}>
        Leave
      </Button>
    ),
  },
];

export function OrganizationsTab({ userId }: { userId: string }) {
  const organizations = useInfiniteQuery(organizationList);
  const leave = useLeaveOrganization(userId);
  return (
    <Panel
      title="Organizations"
      description="Others can add you to an organization. You can leave it here."
      padded={false}
    >
      <EndableList
        label="Organizations"
        query={organizations}
        queryKey={organizationList.queryKey}
        things="organizations"
        empty={{ sentence: 'You belong to no organization.' }}
        columnsOf={columnsOf}
        end={leave}
        texts={{ title: 'Leave the organization?', confirm: 'Leave', done: 'You left the organization' }}
        effect={({ name }) => `You lose access to ${name} and to all of its projects.`}
        call={({ id }) => ({
          operation: 'DELETE /v2/organizations/{org_id}/members/{user_id}',
          path: { org_id: id, user_id: userId },
        })}
      />
    </Panel>
  );
}
