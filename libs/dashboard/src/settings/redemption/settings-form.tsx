import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { Button } from '../../ui/button.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type RedemptionMode, type RedemptionSettings, useUpdateSettings } from './redemption.queries.js';
import { text } from './redemption.text.js';

const orNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

/** Starts with the saved values. */
export function SettingsForm({ settings, projectId }: { settings: RedemptionSettings; projectId: string }) {
  const update = useUpdateSettings(projectId);
  const may = useMay('updateRedemptionSettings');
  const toast = useToast();
  const [enabled, setEnabled] = useState(settings.enabled);
  const [onPurchase, setOnPurchase] = useState(settings.mail_on_purchase);
  const [onExpired, setOnExpired] = useState(settings.mail_on_expired);
  const canMail = settings.can_send_mail;
  const fields = useFields({
    initial: {
      url_scheme: settings.url_scheme ?? '',
      link_minutes: String(settings.link_minutes),
      app_name: settings.app_name ?? '',
      app_store_url: settings.app_store_url ?? '',
      play_store_url: settings.play_store_url ?? '',
      support_email: settings.support_email ?? '',
    },
    check: ({ link_minutes: minutes }) => ({
      link_minutes: /^\d{1,5}$/.test(minutes.trim()) ? null : text.minutesWrong,
    }),
    error: update.error,
    busy: update.isPending,
    onSubmit: () => {
      if (may.allowed) update.mutate(body, { onSuccess: () => toast({ title: text.saved, tone: 'good' }) });
    },
  });
  const { values, field } = fields;
  const body = {
    enabled,
    url_scheme: orNull(values.url_scheme),
    link_minutes: Number(values.link_minutes),
    app_name: orNull(values.app_name),
    app_store_url: orNull(values.app_store_url),
    play_store_url: orNull(values.play_store_url),
    support_email: orNull(values.support_email),
    ...(canMail && { mail_on_purchase: onPurchase, mail_on_expired: onExpired }),
  };
  const isChanged =
    enabled !== settings.enabled ||
    onPurchase !== settings.mail_on_purchase ||
    onExpired !== settings.mail_on_expired;
  useDirtyForm(fields.isDirty || isChanged, update.isPending);
  const writable = { readOnly: !may.allowed, autoComplete: 'off' };
  return (
    <form {...fields.form} className="grid gap-4">
      <Panel title={text.links}>
        <div className="grid gap-4">
          <RadioCards
            label={text.enabled}
            options={(Object.keys(text.modes) as RedemptionMode[]).map((value) => ({
              value,
              ...text.modes[value],
              disabledReason: may.reason,
            }))}
            value={enabled}
            onChange={setEnabled}
          />
          <TextField
            {...field('url_scheme')}
            {...writable}
            label={text.scheme}
            hint={text.schemeHint(settings.effective_url_scheme)}
            optional
            mono
          />
          <NumberField {...field('link_minutes')} {...writable} label={text.minutes} integer />
        </div>
      </Panel>
      <Panel title={text.page}>
        <div className="grid gap-4">
          <TextField
            {...field('app_name')}
            {...writable}
            label={text.appName}
            hint={text.appNameHint}
            optional
          />
          <TextField {...field('app_store_url')} {...writable} label={text.appStore} type="url" optional />
          <TextField {...field('play_store_url')} {...writable} label={text.playStore} type="url" optional />
          <TextField {...field('support_email')} {...writable} label={text.support} type="email" optional />
          {!canMail && <p className="text-muted">{text.noMail}</p>}
          <Checkbox
            label={text.mailOnPurchase}
            hint={text.mailOnPurchaseHint}
            checked={onPurchase}
            disabled={!may.allowed || !canMail}
            onChange={({ target }) => setOnPurchase(target.checked)}
          />
          <Checkbox
            label={text.mailOnExpired}
            hint={text.mailOnExpiredHint}
            checked={onExpired}
            disabled={!may.allowed || !canMail}
            onChange={({ target }) => setOnExpired(target.checked)}
          />
        </div>
      </Panel>
      <FormError error={fields.problem} />
      <FormActions>
        <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
          {text.save}
        </Button>
        <ShowCall
          operation="POST /v2/projects/{project_id}/redemption_settings"
          path={{ project_id: projectId }}
          body={body}
        />
      </FormActions>
    </form>
  );
}
