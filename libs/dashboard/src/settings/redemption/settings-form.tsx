import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { FormActions, FormError, SaveState } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type RedemptionMode, type RedemptionSettings, useUpdateSettings } from './redemption.queries.js';

const modeLabels = {
  off: { label: 'No purchases', hint: 'Apps report the link as invalid.' },
  sandbox: { label: 'Sandbox purchases', hint: 'For testing.' },
  production: { label: 'All purchases', hint: 'Production and sandbox.' },
} satisfies Record<RedemptionMode, { label: string; hint: string }>;

const orNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

/** Starts with the saved values. */
export function SettingsForm({ settings, projectId }: { settings: RedemptionSettings; projectId: string }) {
  const update = useUpdateSettings(projectId);
  const may = useMay('updateRedemptionSettings');
  const toast = useToast();
  const canMail = settings.can_send_mail;
  const form = useForm({
    initial: {
      url_scheme: settings.url_scheme ?? '',
      link_minutes: String(settings.link_minutes),
      app_name: settings.app_name ?? '',
      app_store_url: settings.app_store_url ?? '',
      play_store_url: settings.play_store_url ?? '',
      support_email: settings.support_email ?? '',
      enabled: settings.enabled,
      mail_on_purchase: settings.mail_on_purchase,
      mail_on_expired: settings.mail_on_expired,
    },
    check: ({ link_minutes: minutes }) => ({
      link_minutes: /^\d{1,5}$/.test(minutes.trim()) ? null : 'Enter a number from 5 to 10080.',
    }),
    write: update,
    onSubmit: () => {
      if (may.allowed) update.mutate(body, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  const { values, field } = form;
  const body = {
    enabled: values.enabled,
    url_scheme: orNull(values.url_scheme),
    link_minutes: Number(values.link_minutes),
    app_name: orNull(values.app_name),
    app_store_url: orNull(values.app_store_url),
    play_store_url: orNull(values.play_store_url),
    support_email: orNull(values.support_email),
    ...(canMail && {
      mail_on_purchase: values.mail_on_purchase,
      mail_on_expired: values.mail_on_expired,
    }),
  };
  useDirtyForm(form.isDirty, update.isPending);
  const writable = { readOnly: !may.allowed, autoComplete: 'off' };
  return (
    <form {...form.formProps} className="grid gap-4">
      <Panel
        beside
        title="Links"
        description="What a link unlocks, how it opens the app, and how long it works."
      >
        <div className="grid gap-4">
          <RadioCards
            label="Links work for"
            options={(Object.keys(modeLabels) as RedemptionMode[]).map((value) => ({
              value,
              ...modeLabels[value],
              disabledReason: may.reason,
            }))}
            {...form.control('enabled')}
          />
          <TextField
            {...field('url_scheme')}
            {...writable}
            label="URL scheme"
            hint={
              settings.effective_url_scheme === null
                ? 'The project has no app yet, so links need a scheme of your own.'
                : `Every app of the project must register it. Default: ${settings.effective_url_scheme}.`
            }
            optional
            mono
          />
          <NumberField {...field('link_minutes')} {...writable} label="Link lifetime (minutes)" integer />
        </div>
      </Panel>
      <Panel beside title="Page and emails" description="What people see before they open the app.">
        <div className="grid gap-4">
          <TextField
            {...field('app_name')}
            {...writable}
            label="Name of the app"
            hint="Default: the name of the project."
            optional
          />
          <TextField
            {...field('app_store_url')}
            {...writable}
            label="Address in the App Store"
            type="url"
            optional
          />
          <TextField
            {...field('play_store_url')}
            {...writable}
            label="Address on Google Play"
            type="url"
            optional
          />
          <TextField
            {...field('support_email')}
            {...writable}
            label="Email address for questions"
            type="email"
            optional
          />
          {!canMail && <p className="text-muted">This server has no mail server, so it cannot send links.</p>}
          <Checkbox
            label="Send a link after a purchase"
            hint="If the customer has an $email and no app has seen them yet."
            disabled={!may.allowed || !canMail}
            {...form.checkbox('mail_on_purchase')}
          />
          <Checkbox
            label="Send a new link when an expired one is opened"
            hint="At most once an hour for each purchase."
            disabled={!may.allowed || !canMail}
            {...form.checkbox('mail_on_expired')}
          />
        </div>
      </Panel>
      <FormError error={form.problem} />
      <FormActions>
        <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
          Save
        </Button>
        <SaveState isDirty={form.isDirty} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/redemption_settings"
          path={{ project_id: projectId }}
          body={body}
        />
      </FormActions>
    </form>
  );
}
