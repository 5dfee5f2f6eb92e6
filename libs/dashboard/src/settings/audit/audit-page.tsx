import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import auditActions from 'virtual:audit-actions';
import { docsOf } from '../../api/docs-link.js';
import { itemsOf } from '../../api/paging.js';
import { saveListAsCsv } from '../../frame/jobs/list-csv.js';
import { Page } from '../../frame/pages/page.js';
import { CsvButton } from '../../ui/csv-button.js';
import { CopyButton } from '../../ui/text/copy-button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SidePanel, WithSidePanel } from '../../ui/overlays/side-panel.js';
import { Time } from '../../ui/format/time.js';
import { ActorText, AuditEntryDetail } from './audit-entry.js';
import { AuditFilters, type AuditSearch } from './audit-filters.js';
import { actionWords } from './audit-words.js';
import {
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  auditEntryQuery,
  auditPage,
  auditQuery,
} from './audit.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/settings/audit');
const actions = auditActions as readonly AuditAction[];

const filterOf = ({ from, to, action, actor, target }: AuditSearch): AuditFilter => ({
  start_date: from,
  end_date: to,
  action_type: actions.find((known) => known === action),
  actor_identifier: actor,
  target_identifier: target,
});

export default function AuditPage() {
  const { projectId } = route.useParams();
  const { entry: openId, customer, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { ...filterOf(search), customer_id: customer };
  const log = useInfiniteQuery(auditQuery(projectId, filter));
  const listed = itemsOf(log.data).find(({ id }) => id === openId);
  const query = auditEntryQuery(projectId, openId ?? '');
  // A link can also open entries that are not on the first page.
  const single = useQuery({ ...query, enabled: openId !== undefined && !listed && !log.isPending });
  const opened = listed ?? single.data;
  const clear = () => void navigate({ search: ({ env }) => ({ env }) });
  const open = (entry: string | undefined) => void navigate({ search: (before) => ({ ...before, entry }) });
  const columns: Column<AuditEntry>[] = [
    {
      id: 'action',
      header: 'Action',
      priority: 1,
      width: 'minmax(6rem, 1.2fr)',
      cell: (entry) => actionWords(entry.action_type),
    },
    {
      id: 'target',
      header: 'Object',
      cell: (entry) => <DataText mono>{entry.target_identifier}</DataText>,
    },
    { id: 'actor', header: 'By', cell: (entry) => <ActorText entry={entry} /> },
    {
      id: 'time',
      header: 'Time',
      width: '9rem',
      align: 'end',
      cell: (entry) => <Time ms={entry.occurred_at} />,
    },
  ];
  const save = () =>
    saveListAsCsv<AuditEntry>({
      name: 'audit-log',
      header: ['Time (UTC)', 'Action', 'Object type', 'Object', 'Actor type', 'Actor', 'Detail'],
      row: (entry) => [
        new Date(entry.occurred_at).toISOString(),
        entry.action_type,
        entry.target_type,
        entry.target_identifier,
        entry.actor_type,
        entry.actor_identifier,
        JSON.stringify(entry.additional_data),
      ],
      page: (query, signal) => auditPage(projectId, { ...filter, ...query }, signal),
    });
  return (
    <Page
      title="Audit log"
      note="Every change of this project: who made it, when, and to what. Days are UTC days."
      actions={<CsvButton onClick={save} />}
    >
      <AuditFilters
        search={{ ...search, target: search.target ?? customer }}
        actions={actions}
        onChange={(changes) =>
          void navigate({
            search: (before) => ({ ...before, customer: undefined, entry: undefined, ...changes }),
          })
        }
        onClear={clear}
      />
      <WithSidePanel
        panel={
          <SidePanel
            open={openId !== undefined}
            onClose={() => open(undefined)}
            title={opened ? actionWords(opened.action_type) : 'Change'}
            actions={
              openId !== undefined && (
                <CopyButton
                  worded
                  label="link to this entry"
                  value={`${location.origin}/projects/${projectId}/settings/audit?entry=${openId}`}
                />
              )
            }
          >
            {listed ? (
              <AuditEntryDetail entry={listed} projectId={projectId} />
            ) : (
              <QueryPanel query={single} queryKey={query.queryKey}>
                {(entry) => <AuditEntryDetail entry={entry} projectId={projectId} />}
              </QueryPanel>
            )}
          </SidePanel>
        }
      >
        <Panel padded={false}>
          <QueryList
            label="Audit log"
            things="changes"
            query={log}
            queryKey={auditQuery(projectId, filter).queryKey}
            columns={columns}
            rowKey={({ id }) => id}
            onOpen={({ id }) => open(id)}
            selectedKey={openId}
            filtered={Object.values(filter).some((value) => value !== undefined)}
            onClearFilters={clear}
            empty={{
              sentence: 'Changes by people, keys and the server appear here.',
              docs: docsOf('Audit log'),
            }}
          />
        </Panel>
      </WithSidePanel>
    </Page>
  );
}
