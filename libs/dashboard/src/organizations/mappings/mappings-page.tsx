import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { RoleMapping } from '../../api/enterprise.types.js';
import { Page } from '../../frame/pages/page.js';
import { Button, IconButton } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { DeleteMappingDialog } from './delete-mapping-dialog.js';
import { MappingDialog } from './mapping-dialog.js';
import { mappingList } from './mappings.queries.js';

const route = getRouteApi('/signed-in/organizations/$orgId/mappings');

const columnsOf = (onDelete: (mapping: RoleMapping) => void): Column<RoleMapping>[] => [
  {
    id: 'group',
    header: 'Group',
    priority: 1,
    width: 'minmax(6rem, 1.5fr)',
    cell: ({ group }) => <DataText truncate>{group}</DataText>,
  },
  {
    id: 'project',
    header: 'Project',
    cell: ({ project_name: name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'role',
    header: 'Role',
    cell: ({ role_name: name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'created',
    header: 'Since',
    priority: 3,
    width: '7rem',
    cell: (mapping) => <Time ms={mapping.created_at} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '2.5rem',
    align: 'end',
    priority: 1,
    cell: (mapping) => (
      <IconButton
        size="sm"
        icon="trash"
        label={`Delete the mapping of ${mapping.group} in ${mapping.project_name}`}
        onClick={() => onDelete(mapping)}
      />
    ),
  },
];

export default function MappingsPage() {
  const { orgId } = route.useParams();
  const list = mappingList(orgId);
  const mappings = useInfiniteQuery(list);
  const [open, setOpen] = useState<'create' | RoleMapping | null>(null);
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setOpen('create')}>
      New mapping
    </Button>
  );
  return (
    <Page
      title="Group mappings"
      note="A group of your identity provider gives its members a role in a project. Where several groups apply, the highest role counts; a manually assigned role always stays."
      actions={create}
    >
      <Panel padded={false}>
        <QueryList
          label="Group mappings"
          things="mappings"
          query={mappings}
          queryKey={list.queryKey}
          columns={columnsOf(setOpen)}
          rowKey={({ id }) => id}
          empty={{
            sentence: 'Let the groups of your identity provider decide who has which role.',
            action: create,
          }}
        />
      </Panel>
      {open === 'create' && <MappingDialog orgId={orgId} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'create' && (
        <DeleteMappingDialog orgId={orgId} mapping={open} onClose={() => setOpen(null)} />
      )}
    </Page>
  );
}
