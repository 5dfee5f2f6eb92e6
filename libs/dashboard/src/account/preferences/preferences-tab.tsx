import { useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { type Preferences, usePreferences } from '../../frame/preferences.js';
import { Switch, RadioCards } from '../../ui/forms/choice.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { useUpdateAccount } from '../account.queries.js';
import { FormatsPanel } from './formats-panel.js';

const themeLabels = { system: 'System', light: 'Light', dark: 'Dark' };

const densityLabels = { compact: 'Compact', comfortable: 'Comfortable' };

const startLabels = { overview: 'Overview', board: 'Board of saved charts' };

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

export function PreferencesTab({ account }: { account: Account }) {
  const { preferences, change } = usePreferences();
  return (
    <>
      <p className="text-muted">Everything except emails is stored in this browser only.</p>
      <Panel beside title="Appearance">
        <div className="flex flex-col gap-4">
          <RadioCards<Preferences['theme']>
            label="Theme"
            columns={3}
            options={optionsOf(themeLabels)}
            value={preferences.theme}
            onChange={(theme) => change({ theme })}
          />
          <RadioCards<Preferences['density']>
            label="List density"
            columns={3}
            options={optionsOf(densityLabels)}
            value={preferences.density}
            onChange={(density) => change({ density })}
          />
        </div>
      </Panel>
      <Panel beside title="Start">
        <RadioCards<Preferences['startPage']>
          label="Page with which a project opens"
          columns={3}
          options={optionsOf(startLabels)}
          value={preferences.startPage}
          onChange={(startPage) => change({ startPage })}
        />
      </Panel>
      <FormatsPanel />
      <Panel beside title="Keyboard">
        <Switch
          label="Single-key shortcuts"
          hint="Such as j and k in lists, g then c for customers. Ctrl K works without it."
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
    <Panel beside title="Emails">
      <div className="flex flex-col gap-3">
        <Switch
          label="Alert emails"
          hint="When webhooks keep failing, or something else in your projects needs attention."
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
