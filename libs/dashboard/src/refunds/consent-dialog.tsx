import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { RadioCards } from '../ui/forms/choice.js';
import { useToast } from '../ui/overlays/toast.js';
import type { AppAnswers, Consent } from './app-answers.js';
import { answersBody, useChangeAnswers } from './app-answers.queries.js';

const choices: readonly { value: Consent; label: string }[] = [
  { value: 'all_customers', label: 'All customers agreed' },
  { value: 'attribute', label: 'Only customers with $refundDataConsent' },
  { value: 'none', label: 'Do not send' },
];

interface ConsentDialogProps {
  projectId: string;
  app: AppAnswers;
  onClose: () => void;
}

/** Records whose use of purchases an app may report to Apple. */
export function ConsentDialog({ projectId, app, onClose }: ConsentDialogProps) {
  const toast = useToast();
  const change = useChangeAnswers(projectId);
  const form = useForm({
    initial: { refund_data_consent: app.consent },
    write: change,
    onSubmit: (values) =>
      change.mutate(
        { app, change: values },
        {
          onSuccess: () => {
            toast({ title: 'Consent saved' });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title="Confirm consent"
      effect="Answers tell Apple that the customer agreed to share how the purchase was used. Only confirm this if your terms say so."
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: app.id },
        body: answersBody(app, form.values),
      }}
      onClose={onClose}
    >
      <RadioCards label="Consent" options={choices} {...form.control('refund_data_consent')} />
    </FormDialog>
  );
}
