import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { OrganizationAuditEntry } from '../../api/enterprise.types.js';
import { itemsOf } from '../../api/paging.js';
import { saveListAsCsv } from '../../frame/jobs/list-csv.js';
import { Page } from '../../frame/pages/page.js';
import { CsvButton } from '../../ui/csv-button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { setCount } from '../../ui/lists/filter-bar.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { SidePanel, WithSidePanel } from '../../ui/overlays/side-panel.js';
import { Time } from '../../ui/format/time.js';
import { periodOf } from '../utc-period.js';
import { actionWords } from './action-words.js';
import { ActorText, AuditEntryDetail } from './audit-entry.js';
import { AuditFilters } from './audit-filters.js';
import { auditList, auditPage } from './audit.queries.js';

const route = getRouteApi('/signed-in/organizations/$orgId/audit');

const columns: Column<OrganizationAuditEntry>[] = [
  {
    id: 'action',
    header: 'Action',
    priority: 1,
    width: 'minmax(6rem, 1.2fr)',
    cell: ({ action }) => actionWords(action),
  },
  {
    id: 'target',
    header: 'Object',
    cell: ({ target }) => <DataText mono>{target.id}</DataText>,
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

export default function OrganizationAuditPage() {
  const { orgId } = route.useParams();
  const { entry: openId, ...search } = route.useSearch();
  const { action, actor } = search;
  const navigate = route.useNavigate();
  const period = periodOf(search);
  const list = auditList(orgId, period);
  const log = useInfiniteQuery(list);
  const entries = itemsOf(log.data);
  const opened = entries.find(({ id }) => id === openId);
  const keep = useCallback(
    (entry: OrganizationAuditEntry) => {
      const wanted = actor?.toLowerCase();
      const names = [entry.actor.email, entry.actor.id, entry.target.id];
      return (
        (action === undefined || entry.action === action) &&
        (wanted === undefined || names.some((name) => name?.toLowerCase().includes(wanted)))
      );
    },
    [action, actor],
  );
  const clear = () => void navigate({ search: {} });
  const open = (entry: string | undefined) => void navigate({ search: (before) => ({ ...before, entry }) });
  const save = () =>
    saveListAsCsv<OrganizationAuditEntry>({
      name: 'organization-audit-log',
      header: ['Time (UTC)', 'Action', 'Object type', 'Object', 'Actor type', 'Actor', 'Detail'],
      row: (entry) => [
        new Date(entry.occurred_at).toISOString(),
        entry.action,
        entry.target.type,
        entry.target.id,
        entry.actor.type,
        entry.actor.email ?? entry.actor.id,
        JSON.stringify(entry.data),
      ],
      page: (query, signal) => auditPage(orgId, { ...period, ...query }, signal),
    });
  return (
    <Page
      title="Audit log"
      note="Every change of this organization, and every sign-in through it. Days are UTC days."
      actions={<CsvButton onClick={save} />}
    >
      <AuditFilters
        search={search}
        onChange={(changes) =>
          void navigate({ search: (before) => ({ ...before, entry: undefined, ...changes }) })
        }
        onClear={clear}
      />
      <WithSidePanel
        panel={
          <SidePanel
            open={opened !== undefined}
            onClose={() => open(undefined)}
            title={opened ? actionWords(opened.action) : 'Entry'}
          >
            {opened && <AuditEntryDetail entry={opened} orgId={orgId} />}
          </SidePanel>
        }
      >
        <Panel padded={false}>
          <QueryList
            label="Audit log"
            things="entries"
            query={log}
            queryKey={list.queryKey}
            columns={columns}
            rowKey={({ id }) => id}
            keep={keep}
            onOpen={({ id }) => open(id)}
            selectedKey={openId}
            filtered={setCount(search) > 0}
            onClearFilters={clear}
            empty={{ sentence: 'Changes of this organization appear here.' }}
          />
        </Panel>
      </WithSidePanel>
    </Page>
  );
}
