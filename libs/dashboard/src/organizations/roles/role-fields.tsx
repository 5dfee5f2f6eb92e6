import { useQuery } from '@tanstack/react-query';
import { PermissionGrid } from '../../frame/permissions/permission-grid.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextAreaField, TextField } from '../../ui/forms/text-field.js';
import { projectsQuery } from '../projects/projects.queries.js';
import { scopesQuery } from './roles.queries.js';
import { areasOf } from './scope-choice.js';
import type { useRoleForm } from './use-role-form.js';

interface RoleFieldsProps {
  orgId: string;
  form: ReturnType<typeof useRoleForm>;
}

/** Name, description, projects and permissions of a role. */
export function RoleFields({ orgId, form }: RoleFieldsProps) {
  const scopes = useQuery(scopesQuery(orgId));
  const { data: projects = [] } = useQuery(projectsQuery(orgId));
  return (
    <>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      <TextAreaField label="Description" optional rows={2} {...form.field('description')} />
      <SelectField
        label="Holds in"
        hint="While people have the role, this cannot be changed."
        placeholder="Every project"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('project_id')}
      />
      <QueryPanel query={scopes} queryKey={scopesQuery(orgId).queryKey}>
        {({ groups }) => <PermissionGrid areas={areasOf(groups)} {...form.control('scopes')} />}
      </QueryPanel>
    </>
  );
}
