import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RoleMapping, ScimGroup } from '../../api/enterprise.types.js';
import { useOrganization } from '../../api/organization.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { groupList, mappingsQuery } from './scim.queries.js';

const columnsOf = (mappings: readonly RoleMapping[]): Column<ScimGroup>[] => [
  {
    id: 'name',
    header: 'Group',
    priority: 1,
    cell: ({ display_name: name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'members',
    header: 'Members',
    label: 'Members',
    width: '6rem',
    align: 'end',
    cell: ({ member_count: count }) => <Num value={count} />,
  },
  {
    id: 'mappings',
    header: 'Roles',
    width: 'minmax(0, 2fr)',
    cell: ({ display_name: name }) => {
      const roles = mappings.filter(({ group }) => group.toLowerCase() === name.toLowerCase());
      return roles.length === 0 ? (
        <span className="text-muted">None</span>
      ) : (
        <DataText truncate>
          {roles.map((role) => `${role.role_name} in ${role.project_name}`).join(', ')}
        </DataText>
      );
    },
  },
];

/** The provider's groups, with their mapped roles. */
export function GroupsPanel({ orgId }: { orgId: string }) {
  const list = groupList(orgId);
  const groups = useInfiniteQuery(list);
  const hasMappings = useOrganization()?.features.includes('custom_roles') ?? false;
  const { data: mappings = [] } = useQuery({ ...mappingsQuery(orgId), enabled: hasMappings });
  return (
    <Panel
      title="Groups"
      description="As pushed by the provider. A mapping gives their members a role in a project."
      padded={false}
    >
      <QueryList
        label="Groups"
        things="groups"
        query={groups}
        queryKey={list.queryKey}
        columns={columnsOf(mappings)}
        rowKey={({ id }) => id}
        empty={{ sentence: 'No group has been pushed yet.' }}
      />
    </Panel>
  );
}
