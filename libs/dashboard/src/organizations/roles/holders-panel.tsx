import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomRole } from '../../api/enterprise.types.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { text as projectText } from '../projects/projects.text.js';
import { holdersQuery } from './holders.queries.js';
import { text } from './roles.text.js';

/** The people with a role. Loaded on demand, because it needs a call per project. */
export function HoldersPanel({ orgId, role }: { orgId: string; role: CustomRole }) {
  const [isAsked, setIsAsked] = useState(false);
  const query = holdersQuery(orgId, role);
  const holders = useQuery({ ...query, enabled: isAsked });
  return (
    <Panel
      title={text.holders}
      description={text.holdersNote(role.member_count)}
      padded={!isAsked}
      actions={
        !isAsked &&
        role.member_count > 0 && <Button onClick={() => setIsAsked(true)}>{text.showHolders}</Button>
      }
    >
      {isAsked && (
        <QueryPanel query={holders} queryKey={query.queryKey}>
          {(people) =>
            people.length === 0 ? (
              <EmptyState sentence={text.noHolders} />
            ) : (
              <DataList
                label={text.holders}
                rows={people}
                rowKey={({ member, project }) => `${member.user_id} ${project.id}`}
                columns={[
                  {
                    id: 'person',
                    header: text.holderColumns.person,
                    priority: 1,
                    cell: ({ member }) => <DataText truncate>{member.name ?? member.email}</DataText>,
                  },
                  {
                    id: 'project',
                    header: text.holderColumns.project,
                    cell: ({ project }) => <DataText truncate>{project.name}</DataText>,
                  },
                  {
                    id: 'source',
                    header: text.holderColumns.source,
                    width: '14rem',
                    cell: ({ member }) => projectText.sources[member.source],
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
