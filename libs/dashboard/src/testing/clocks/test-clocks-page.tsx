import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { CreateClockDialog } from './create-clock-dialog.js';
import { StatusBadge } from './status-badge.js';
import { type TestClock, testClocksQuery } from './test-clocks.queries.js';
import { text } from './test-clocks.text.js';

const route = getRouteApi('/signed-in/projects/$projectId/test/clocks');

const columns: Column<TestClock>[] = [
  { id: 'name', header: text.columns.name, priority: 1, cell: ({ name }) => <DataText>{name}</DataText> },
  {
    id: 'status',
    header: text.columns.status,
    priority: 1,
    width: '8rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { id: 'time', header: text.columns.time, cell: (clock) => <Time ms={clock.frozen_time} show="full" /> },
  {
    id: 'customers',
    header: text.columns.customers,
    label: text.columns.customers,
    width: '7rem',
    align: 'end',
    cell: ({ customer_ids: ids }) => <Num value={ids.length} />,
  },
];

export default function TestClocksPage() {
  const { projectId } = route.useParams();
  const clocks = useInfiniteQuery(testClocksQuery(projectId));
  const may = useMay('createTestClock');
  const [isOpen, setIsOpen] = useState(false);
  const create = (
    <Button variant="primary" icon="plus" disabledReason={may.reason} onClick={() => setIsOpen(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} note={text.note} actions={create}>
      <Panel padded={false}>
        <QueryList
          label={text.title}
          things={text.things}
          query={clocks}
          queryKey={testClocksQuery(projectId).queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/test/clocks/${id}`}
          empty={{ sentence: text.empty, action: create, docs: docsOf('Test clocks') }}
        />
      </Panel>
      {isOpen && <CreateClockDialog projectId={projectId} onClose={() => setIsOpen(false)} />}
    </Page>
  );
}
