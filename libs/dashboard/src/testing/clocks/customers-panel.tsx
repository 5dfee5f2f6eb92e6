import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { type TestClock, useAttachCustomer } from './test-clocks.queries.js';

interface ClockProps {
  clock: TestClock;
  projectId: string;
}

function AttachDialog({ clock, projectId, onClose }: ClockProps & { onClose: () => void }) {
  const attach = useAttachCustomer(projectId, clock.id);
  const form = useForm({
    initial: { customer_id: '' },
    check: ({ customer_id: id }) => ({ customer_id: id === '' ? 'Enter an app user id.' : null }),
    write: attach,
    onSubmit: (body) => attach.mutate(body, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title="Attach a customer"
      effect="At most 50. A customer stays with its clock."
      form={form}
      submit="Attach a customer"
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/test_clocks/{test_clock_id}/actions/attach_customer',
        path: { project_id: projectId, test_clock_id: clock.id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField label="App user id" mono autoComplete="off" {...form.field('customer_id')} />
    </FormDialog>
  );
}

export function CustomersPanel({ clock, projectId }: ClockProps) {
  const may = useMay('attachCustomerToTestClock');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel
      title="Customers"
      description="At most 50. A customer stays with its clock."
      actions={
        <Button size="sm" icon="plus" disabledReason={may.reason} onClick={() => setIsOpen(true)}>
          Attach a customer
        </Button>
      }
    >
      {clock.customer_ids.length === 0 ? (
        <p className="text-muted">No customer is attached yet.</p>
      ) : (
        <ul className="columns-xs gap-6">
          {clock.customer_ids.map((id) => (
            <li key={id} className="min-h-6">
              <Link to="/projects/$projectId/customer" params={{ projectId }} search={{ id }}>
                <DataText mono>{id}</DataText>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isOpen && <AttachDialog clock={clock} projectId={projectId} onClose={() => setIsOpen(false)} />}
    </Panel>
  );
}
