import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Panel } from '../../ui/panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type ProjectSettings, useDeleteProject } from './project.queries.js';

export function DeleteProjectPanel({ project }: { project: ProjectSettings }) {
  const remove = useDeleteProject(project.id);
  const may = useMay('deleteProject');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const name = visibleText(project.name);
  const leave = async () => {
    await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
    queries.removeQueries({ queryKey: [project.id] });
    await navigate({ to: '/', ignoreBlocker: true });
  };
  return (
    <Panel beside title="Delete project" description="Deletes the project for everyone.">
      <Button variant="danger" icon="trash" disabledReason={may.reason} onClick={() => setIsOpen(true)}>
        Delete project
      </Button>
      {isOpen && (
        <ConfirmCall
          danger
          title={`Delete ${name}?`}
          effect="Apps get errors at once, webhooks stop, and every customer, purchase, product and key of the project is deleted. This cannot be undone."
          typed={project.name}
          confirmLabel="Delete project"
          write={remove}
          input={undefined}
          done={`Deleted ${name}`}
          call={{ operation: 'DELETE /v2/projects/{project_id}', path: { project_id: project.id } }}
          onClose={() => setIsOpen(false)}
          onDone={leave}
        />
      )}
    </Panel>
  );
}
