import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { AdvancePanel } from './advance-panel.js';
import { clockScript } from './clock-script.js';
import { CustomersPanel } from './customers-panel.js';
import { EventsPanel } from './events-panel.js';
import { PlanPanel } from './plan-panel.js';
import { StatusBadge } from './status-badge.js';
import { type TestClock, testClockQuery, useDeleteClock } from './test-clocks.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/test/clocks/$clockId');

function DeleteButton({ clock, projectId }: { clock: TestClock; projectId: string }) {
  const remove = useDeleteClock(projectId);
  const may = useMay('deleteTestClock');
  const navigate = route.useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const name = visibleText(clock.name);
  return (
    <>
      <Button variant="danger" icon="trash" disabledReason={may.reason} onClick={() => setIsOpen(true)}>
        Delete clock
      </Button>
      {isOpen && (
        <ConfirmCall
          danger
          title={`Delete ${name}?`}
          effect={
            clock.customer_ids.length === 0
              ? 'The clock is deleted. This cannot be undone.'
              : `The clock is deleted together with its ${clock.customer_ids.length === 1 ? 'customer' : `${clock.customer_ids.length} customers`} and their purchases. This cannot be undone.`
          }
          confirmLabel="Delete clock"
          write={remove}
          input={clock.id}
          done={`Deleted ${name}`}
          call={{
            operation: 'DELETE /v2/projects/{project_id}/test_clocks/{test_clock_id}',
            path: { project_id: projectId, test_clock_id: clock.id },
          }}
          onClose={() => setIsOpen(false)}
          onDone={() => navigate({ to: '/projects/$projectId/test/clocks', params: { projectId } })}
        />
      )}
    </>
  );
}

export default function TestClockPage() {
  const { projectId, clockId } = route.useParams();
  const clock = useQuery(testClockQuery(projectId, clockId));
  return (
    <Page
      title={clock.data ? visibleText(clock.data.name) : 'Test clocks'}
      id={clockId}
      badges={clock.data && <StatusBadge status={clock.data.status} />}
      actions={clock.data && <DeleteButton clock={clock.data} projectId={projectId} />}
    >
      <QueryPanel query={clock} queryKey={testClockQuery(projectId, clockId).queryKey}>
        {(current) => (
          <div className="ui-in-turn grid grid-cols-1 gap-4">
            <AdvancePanel clock={current} projectId={projectId} />
            <EventsPanel clock={current} projectId={projectId} />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <PlanPanel key={current.plan.join()} clock={current} projectId={projectId} />
              <CustomersPanel clock={current} projectId={projectId} />
            </div>
            <Panel title="Use in a test" description="The same from a script, with a secret key.">
              <CodeBlock label="Use in a test" code={clockScript(location.origin, projectId, clockId)} copy />
            </Panel>
          </div>
        )}
      </QueryPanel>
    </Page>
  );
}
