import { useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { type Preferences, usePreferences } from '../../frame/preferences.js';
import { Switch, RadioCards } from '../../ui/forms/choice.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { useUpdateAccount } from '../account.queries.js';
import { text } from '../account.text.js';
import { FormatsPanel } from './formats-panel.js';

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

export function PreferencesTab({ account }: { account: Account }) {
  const { preferences, change } = usePreferences();
  return (
    <>
      <p className="text-muted">{text.stored}</p>
      <Panel title={text.look}>
        <div className="flex flex-col gap-4">
          <RadioCards<Preferences['theme']>
            label={text.theme}
            columns={3}
            options={optionsOf(text.themes)}
            value={preferences.theme}
            onChange={(theme) => change({ theme })}
          />
          <RadioCards<Preferences['density']>
            label={text.density}
            columns={3}
            options={optionsOf(text.densities)}
            value={preferences.density}
            onChange={(density) => change({ density })}
          />
        </div>
      </Panel>
      <FormatsPanel />
      <Panel title={text.keyboard}>
        <Switch
          label={text.singleKeys}
          hint={text.singleKeysHint}
          checked={preferences.singleKeys}
          onChange={(event) => change({ singleKeys: event.target.checked })}
        />
      </Panel>
      <AlertMails isOn={account.user.alert_emails} />
    </>
  );
}

function AlertMails({ isOn }: { isOn: boolean }) {
  // Optimistic value; an error reverts it.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const update = useUpdateAccount();
  return (
    <Panel title={text.mails}>
      <div className="flex flex-col gap-3">
        <Switch
          label={text.alertEmails}
          hint={text.alertEmailsHint}
          checked={wanted ?? isOn}
          onChange={(event) => {
            const isWanted = event.target.checked;
            setWanted(isWanted);
            update.mutate({ alert_emails: isWanted }, { onError: () => setWanted(null) });
          }}
        />
        <FormError error={update.error?.message} />
      </div>
    </Panel>
  );
}
