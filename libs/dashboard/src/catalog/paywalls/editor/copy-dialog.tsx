import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { offeringNamesQuery } from '../../../api/offerings.queries.js';
import { FormDialog } from '../../../frame/forms/form-dialog.js';
import { useForm } from '../../../frame/forms/use-form.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { TextField } from '../../../ui/forms/text-field.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { CopyButton } from '../../../ui/text/copy-button.js';
import { useCopyPaywall } from '../paywalls.queries.js';
import { usePaywallDocument } from './paywall-editor-context.js';

/** Keeps the document as the paywall of another offering. */
export function CopyDialog({ onClose }: { onClose: () => void }) {
  const { projectId, paywall, document } = usePaywallDocument();
  const navigate = useNavigate();
  const { data: offerings, isPending } = useQuery(offeringNamesQuery(projectId));
  const copy = useCopyPaywall(projectId);
  const free = (offerings ?? []).filter(({ paywall_id: id, state }) => id === null && state === 'active');
  const form = useForm({
    initial: { offering_id: '', name: `${paywall.name} (copy)` },
    check: ({ offering_id: id, name }) => ({
      offering_id: id === '' ? 'Choose an offering.' : null,
      name: name.trim() === '' ? 'Enter a name.' : null,
    }),
    write: copy,
    onSubmit: (values) =>
      copy.mutate(
        { ...values, document },
        {
          onSuccess: ({ id }) =>
            void navigate({
              to: '/projects/$projectId/catalog/paywalls/$paywallId',
              params: { projectId, paywallId: id },
              ignoreBlocker: true,
            }),
        },
      ),
  });
  if (!isPending && free.length === 0)
    return (
      <Dialog
        open
        onClose={onClose}
        title="Keep mine as a copy"
        size="sm"
        footer={<Button onClick={onClose}>Close</Button>}
      >
        <p className="mb-3">
          Every offering has a paywall. Create an offering first, or copy your paywall and paste it in the
          JSON tab of another one.
        </p>
        <CopyButton value={JSON.stringify(document, null, 2)} label="paywall" worded />
      </Dialog>
    );
  return (
    <FormDialog
      title="Keep mine as a copy"
      description="An offering has one paywall, so the copy belongs to another offering."
      size="sm"
      form={form}
      submit="Create"
      call={{
        operation: 'createPaywall',
        path: { project_id: projectId },
        body: { ...form.values, duplicate_of: paywall.id },
      }}
      onClose={onClose}
    >
      <SelectField
        label="Offering"
        placeholder="Choose an offering"
        options={free.map(({ id, display_name: name }) => ({ value: id, label: name }))}
        {...form.field('offering_id')}
      />
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
    </FormDialog>
  );
}
