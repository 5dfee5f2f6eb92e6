import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type SignInSettings, useUpdateSettings } from './sign-in.queries.js';

export function SettingsPanel({ settings, projectId }: { settings: SignInSettings; projectId: string }) {
  const update = useUpdateSettings(projectId);
  const may = useMay('updateAuthSettings');
  const toast = useToast();
  const [enabled, setEnabled] = useState(settings.enabled);
  const [anonymous, setAnonymous] = useState(settings.allow_anonymous);
  const body = { enabled, allow_anonymous: anonymous };
  useDirtyForm(enabled !== settings.enabled || anonymous !== settings.allow_anonymous, update.isPending);
  return (
    <Panel title="Sign-in">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!may.allowed || update.isPending) return;
          update.mutate(body, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
        }}
      >
        <Checkbox
          label="Customers can sign in"
          hint="While this is off, every sign-in and every customer token is refused."
          checked={enabled}
          disabled={!may.allowed}
          onChange={({ target }) => setEnabled(target.checked)}
        />
        <Checkbox
          label="Customers without an account"
          hint="Apps may sign in customers who have no account yet."
          checked={anonymous}
          disabled={!may.allowed}
          onChange={({ target }) => setAnonymous(target.checked)}
        />
        <FormError error={update.error?.message} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
            Save
          </Button>
          <ShowCall
            operation="POST /v2/projects/{project_id}/auth/settings"
            path={{ project_id: projectId }}
            body={body}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
