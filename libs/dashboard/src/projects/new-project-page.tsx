import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery } from '../api/account.queries.js';
import { useDirtyForm } from '../frame/forms/dirty-forms.js';
import { Page } from '../frame/pages/page.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { useForm } from '../frame/forms/use-form.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { Panel } from '../ui/panel.js';
import { TextField } from '../ui/forms/text-field.js';
import { useCreateProject } from './new-project.queries.js';

export default function NewProjectPage() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const enter = useMutation({
    // The project's pages read it from the account.
    mutationFn: (projectId: string) =>
      queries.fetchQuery({ ...accountQuery, staleTime: 0 }).then(() => projectId),
    onSuccess: (projectId) => navigate({ to: '/projects/$projectId/setup', params: { projectId } }),
  });
  const create = useCreateProject(({ id }) => enter.mutate(id));
  const { formProps, field, problem, values, isDirty } = useForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Give the project a name.' : null }),
    // Success leads to another page.
    write: { error: create.error, isPending: create.isPending || create.isSuccess },
    onSubmit: (body) => create.mutate(body),
  });
  useDirtyForm(isDirty && !create.isSuccess);
  return (
    <Page title="New project">
      <Panel className="max-w-xl">
        <form {...formProps} className="flex flex-col gap-4">
          <p className="text-muted">
            A project holds the apps of one product with their customers, on all stores.
          </p>
          <TextField {...field('name')} label="Name" autoComplete="off" />
          <FormError error={problem} />
          {enter.error && (
            <ErrorPanel
              error={enter.error}
              note="The project was created, but could not be opened."
              onRetry={() => enter.mutate(enter.variables)}
              retrying={enter.isPending}
            />
          )}
          <FormActions>
            <Button type="submit" variant="primary" busy={create.isPending || create.isSuccess}>
              Create the project
            </Button>
            <ShowCall operation="POST /v2/projects" body={values} />
          </FormActions>
        </form>
      </Panel>
    </Page>
  );
}
