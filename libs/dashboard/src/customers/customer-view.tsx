import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { CallError } from '../api/call-error.js';
import { Page } from '../frame/pages/page.js';
import { FormError } from '../ui/forms/form.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import type { CustomerAction, Done } from './actions/action.js';
import { AttributesPanel } from './attributes/attributes-panel.js';
import { AccessPanel } from './access/access-panel.js';
import { BlockedNote } from './blocked-note.js';
import { CustomerActions } from './customer-actions.js';
import { CustomerBadges } from './customer-badges.js';
import { CustomerContext } from './customer-context.js';
import { CustomerFacts } from './customer-facts.js';
import { CustomerIdLine } from './customer-id-line.js';
import { namesOf } from './customer-name.js';
import { CustomerTabs } from './customer-tabs.js';
import { customerQuery } from './customers.queries.js';
import { DoneNote } from './done-note.js';
import { NoSuchCustomer } from './no-such-customer.js';
import { Timeline } from './timeline/timeline.js';
import { useSummary } from './use-summary.js';

const ActionDialogs = lazy(() => import('./actions/action-dialogs.js'));

/** The support page: who the customer is, what they can access and why, what happened, and available actions. */
export function CustomerView({ projectId, id }: { projectId: string; id: string }) {
  const options = customerQuery(projectId, id);
  const customer = useQuery(options);
  const summaries = useSummary(projectId, id);
  const summary = summaries.data?.items[0];
  const names = namesOf(customer.data);
  const toast = useToast();
  const [action, setAction] = useState<CustomerAction | null>(null);
  const [last, setLast] = useState<Done | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const context = useMemo(() => {
    const failed = ({ message }: Error) => {
      setProblem(message);
      toast({ tone: 'bad', title: message });
    };
    return {
      projectId,
      id,
      open: setAction,
      failed,
      done: (done: Done) => {
        setLast(done);
        setProblem(null);
        const { undo } = done;
        toast({
          title: visibleText(done.title),
          // The toast stays while other customers are viewed.
          description: undo && visibleText(id),
          tone: 'good',
          action: undo && {
            label: 'Undo',
            onClick: () => void undo().then(() => toast({ title: 'Undone' }), failed),
          },
        });
      },
    };
  }, [projectId, id, toast]);
  if (customer.error instanceof CallError && customer.error.status === 404)
    return <NoSuchCustomer projectId={projectId} id={id} />;
  return (
    <CustomerContext value={context}>
      <Page
        title={visibleText(names.name ?? id)}
        note={<CustomerIdLine id={id} names={names} />}
        badges={<CustomerBadges customer={customer.data} summary={summary} />}
        actions={<CustomerActions summary={summary} />}
        inTurn
      >
        <FormError error={problem} />
        {last && <DoneNote done={last} customerId={customer.data?.id ?? id} />}
        {summary?.blocked && <BlockedNote aliases={summary.aliases} />}
        <QueryPanel query={customer} queryKey={options.queryKey}>
          {(data) =>
            // Facts of the summary are between the others, which would move.
            summaries.isLoading && summaries.failureCount === 0 ? (
              <Skeleton className="p-4" />
            ) : (
              <CustomerFacts customer={data} summary={summary} error={summaries.error} />
            )
          }
        </QueryPanel>
        {/* Parts wait for those above them, which would move them. */}
        <div className="grid items-start gap-5 lg:grid-cols-2 [&>:has([data-skeleton])~*]:invisible">
          <div className="min-w-0 lg:col-span-2">
            <AccessPanel />
          </div>
          <Timeline />
          <AttributesPanel />
        </div>
        <CustomerTabs summary={summary} />
      </Page>
      <Suspense>{action && <ActionDialogs action={action} onClose={() => setAction(null)} />}</Suspense>
    </CustomerContext>
  );
}
