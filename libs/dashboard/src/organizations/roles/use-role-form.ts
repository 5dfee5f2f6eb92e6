import type { CustomRole, CustomRoleBody } from '../../api/enterprise.types.js';
import { levelsOf } from '../../frame/permissions/permission-levels.js';
import { useForm } from '../../frame/forms/use-form.js';
import { scopesOf } from './scope-choice.js';

interface RoleFormOptions {
  role?: CustomRole;
  write: Parameters<typeof useForm>[0]['write'];
  onSubmit: (body: CustomRoleBody) => void;
}

const valuesOf = (role: CustomRole | undefined) => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  project_id: role?.project_id ?? '',
  scopes: levelsOf(role?.scopes ?? []),
});

const bodyOf = (values: ReturnType<typeof valuesOf>): CustomRoleBody => ({
  name: values.name.trim(),
  description: values.description.trim() || null,
  scopes: scopesOf(values.scopes),
  project_id: values.project_id || null,
});

/** The form of a role, with its permissions as levels by area. */
export function useRoleForm({ role, write, onSubmit }: RoleFormOptions) {
  const initial = valuesOf(role);
  const form = useForm({
    initial,
    check: ({ name, scopes }) => ({
      name: name.trim() === '' ? 'Give the role a name.' : null,
      scopes: scopesOf(scopes).length === 0 ? 'Give the role at least one permission.' : null,
    }),
    write,
    onSubmit: (values) => onSubmit(bodyOf(values)),
  });
  const body = bodyOf(form.values);
  // Two choices of levels can have the same permissions.
  return { ...form, body, isDirty: JSON.stringify(body) !== JSON.stringify(bodyOf(initial)) };
}
