import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomRole } from '../../api/enterprise.types.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { holdersQuery } from './holders.queries.js';
import { sourceLabels } from '../projects/labels.js';

/** The people with a role. Loaded on demand, because it needs a call per project. */
export function HoldersPanel({ orgId, role }: { orgId: string; role: CustomRole }) {
  const [isAsked, setIsAsked] = useState(false);
  const query = holdersQuery(orgId, role);
  const holders = useQuery({ ...query, enabled: isAsked });
  return (
    <Panel
      title="Who holds it"
      description={
        role.member_count === 0
          ? 'No one has this role.'
          : role.member_count === 1
            ? '1 person in a project'
            : `${role.member_count} people in projects`
      }
      padded={!isAsked}
      actions={
        !isAsked &&
        role.member_count > 0 && <Button onClick={() => setIsAsked(true)}>Show who holds it</Button>
      }
    >
      {isAsked && (
        <QueryPanel query={holders} queryKey={query.queryKey}>
          {(people) =>
            people.length === 0 ? (
              <EmptyState sentence="No one has this role." />
            ) : (
              <DataList
                label="Who holds it"
                rows={people}
                rowKey={({ member, project }) => `${member.user_id} ${project.id}`}
                columns={[
                  {
                    id: 'person',
                    header: 'Person',
                    priority: 1,
                    cell: ({ member }) => <DataText truncate>{member.name ?? member.email}</DataText>,
                  },
                  {
                    id: 'project',
                    header: 'Project',
                    cell: ({ project }) => <DataText truncate>{project.name}</DataText>,
                  },
                  {
                    id: 'source',
                    header: 'Comes from',
                    width: '14rem',
                    cell: ({ member }) => sourceLabels[member.source],
                  },
                ]}
              />
            )
          }
        </QueryPanel>
      )}
    </Panel>
  );
}
