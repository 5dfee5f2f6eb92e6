import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../frame/pages/page.js';
import { SelectField } from '../ui/forms/select-field.js';
import { importCommand, type ImportTask, programs } from './import-command.js';
import { StatusPanel } from './status-panel.js';
import { StepsPanel } from './steps-panel.js';
import { WaitingPanel } from './waiting-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/imports');
const options = programs.map(({ id, label }) => ({ value: id, label }));

/** Migration from another system: progress, commands, and purchases that still wait for a store. */
export default function ImportsPage() {
  const { projectId } = route.useParams();
  const [place, setPlace] = useState<string>(programs[0].id);
  const { program } = programs.find(({ id }) => id === place) ?? programs[0];
  const commandOf = (task: ImportTask) =>
    importCommand(task, { address: location.origin, projectId, program });
  return (
    <Page
      title="Imports"
      note="Brings customers, purchases and the catalog from another system here, with no interruption of access."
    >
      <StatusPanel key={projectId} projectId={projectId} />
      <StepsPanel
        projectId={projectId}
        commandOf={commandOf}
        choice={
          <SelectField
            size="sm"
            labelHidden
            label="Where the command line runs"
            options={options}
            value={place}
            onChange={({ target }) => setPlace(target.value)}
          />
        }
      />
      <WaitingPanel projectId={projectId} command={commandOf('tokens')} />
    </Page>
  );
}
