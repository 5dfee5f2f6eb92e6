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

const route = getRouteApi('/signed-in/projects/$projectId/test/clocks');

const columns: Column<TestClock>[] = [
  { id: 'name', header: 'Name', priority: 1, cell: ({ name }) => <DataText>{name}</DataText> },
  {
    id: 'status',
    header: 'Status',
    priority: 1,
    width: '8rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { id: 'time', header: 'Time', cell: (clock) => <Time ms={clock.frozen_time} show="full" /> },
  {
    id: 'customers',
    header: 'Customers',
    label: 'Customers',
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
      New test clock
    </Button>
  );
  return (
    <Page
      title="Test clocks"
      note="A test clock has a time of its own. Advance it to see months of renewals in seconds."
      actions={create}
    >
      <Panel padded={false}>
        <QueryList
          label="Test clocks"
          things="test clocks"
          query={clocks}
          queryKey={testClocksQuery(projectId).queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/test/clocks/${id}`}
          empty={{
            sentence:
              'Attach customers to a clock, then advance it: their Test Store subscriptions renew, lapse or recover as planned.',
            action: create,
            docs: docsOf('Test clocks'),
          }}
        />
      </Panel>
      {isOpen && <CreateClockDialog projectId={projectId} onClose={() => setIsOpen(false)} />}
    </Page>
  );
}
