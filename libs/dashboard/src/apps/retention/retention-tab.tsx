import { useState } from 'react';
import { SelectField } from '../../ui/forms/select-field.js';
import { AddressPanel } from './address-panel.js';
import { MessagesPanel } from './messages-panel.js';
import type { StoreEnvironment } from './retention.queries.js';
import { RulesPanel } from './rules-panel.js';

const environments = [
  { value: 'production', label: 'Production' },
  { value: 'sandbox', label: 'Sandbox' },
];

interface RetentionTabProps {
  projectId: string;
  appId: string;
}

/** Messages of the App Store for customers who are about to cancel. Each environment has its own. */
export function RetentionTab({ projectId, appId }: RetentionTabProps) {
  const [environment, setEnvironment] = useState<StoreEnvironment>('production');
  const place = { projectId, appId, environment };
  return (
    <div className="grid gap-4">
      <div className="max-w-xs">
        <SelectField
          label="Store environment"
          options={environments}
          value={environment}
          onChange={(event) => setEnvironment(event.target.value as StoreEnvironment)}
        />
      </div>
      <AddressPanel key={environment} place={place} />
      <MessagesPanel place={place} />
      <RulesPanel place={place} />
    </div>
  );
}
