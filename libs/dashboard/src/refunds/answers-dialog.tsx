import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { SelectField } from '../ui/forms/select-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import type { AppAnswers, Handling } from './app-answers.js';
import { answersBody, useChangeAnswers } from './app-answers.queries.js';

const handlings: Record<Handling, string> = {
  policies: 'By policies',
  grant_full: 'Always ask for a refund',
  decline: 'Always ask to decline',
  let_apple_decide: 'Always leave it to the store',
  do_not_handle: 'Off',
};

interface AnswersDialogProps {
  projectId: string;
  /** At least one. */
  apps: readonly AppAnswers[];
  onClose: () => void;
}

/** Turns the answers of an app on. */
export function AnswersDialog({ projectId, apps, onClose }: AnswersDialogProps) {
  const toast = useToast();
  const change = useChangeAnswers(projectId);
  const initial: { app_id: string; refund_request_handling: Handling } = {
    app_id: apps[0]?.id ?? '',
    refund_request_handling: 'policies',
  };
  const form = useForm({
    initial,
    write: change,
    onSubmit: ({ app_id: id, refund_request_handling: handling }) => {
      const app = apps.find((one) => one.id === id);
      if (!app) return;
      change.mutate(
        { app, change: { refund_request_handling: handling } },
        {
          onSuccess: () => {
            toast({ title: `${visibleText(app.name)}: ${handlings[handling]}` });
            onClose();
          },
        },
      );
    },
  });
  const { app_id: appId, refund_request_handling: handling } = form.values;
  const chosen = apps.find(({ id }) => id === appId);
  return (
    <FormDialog
      title="Answers to refund requests"
      description="The store decides. Your answer is one of several factors."
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: appId },
        body: chosen && answersBody(chosen, { refund_request_handling: handling }),
      }}
      onClose={onClose}
    >
      {apps.length > 1 && (
        <SelectField
          label="App"
          options={apps.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
          {...form.field('app_id')}
        />
      )}
      <SelectField
        label="Answers"
        options={Object.entries(handlings).map(([value, label]) => ({ value, label }))}
        {...form.field('refund_request_handling')}
      />
    </FormDialog>
  );
}
