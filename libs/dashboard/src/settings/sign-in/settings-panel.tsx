import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FormActions, FormError, SaveState } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type SignInSettings, useUpdateSettings } from './sign-in.queries.js';

export function SettingsPanel({ settings, projectId }: { settings: SignInSettings; projectId: string }) {
  const update = useUpdateSettings(projectId);
  const may = useMay('updateAuthSettings');
  const toast = useToast();
  const form = useForm({
    initial: { enabled: settings.enabled, allow_anonymous: settings.allow_anonymous },
    write: update,
    onSubmit: (values) => {
      if (may.allowed) update.mutate(values, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  useDirtyForm(form.isDirty, update.isPending);
  return (
    <Panel beside title="Sign-in" description="Who can sign in to your apps.">
      <form {...form.formProps} className="grid gap-3">
        <Checkbox
          label="Customers can sign in"
          hint="While this is off, every sign-in and every customer token is refused."
          disabled={!may.allowed}
          {...form.checkbox('enabled')}
        />
        <Checkbox
          label="Customers without an account"
          hint="Apps may sign in customers who have no account yet."
          disabled={!may.allowed}
          {...form.checkbox('allow_anonymous')}
        />
        <FormError error={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
            Save
          </Button>
          <SaveState isDirty={form.isDirty} />
          <ShowCall
            operation="POST /v2/projects/{project_id}/auth/settings"
            path={{ project_id: projectId }}
            body={form.values}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
