import { useState } from 'react';
import type { CallError } from '../../api/call-error.js';
import type { CustomRole, CustomRoleBody } from '../../api/enterprise.types.js';
import { levelsOf } from '../../frame/permissions/permission-levels.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { scopesOf } from './scope-choice.js';

interface RoleFormOptions {
  role?: CustomRole;
  error: CallError | null;
  busy: boolean;
  onSubmit: (body: CustomRoleBody) => void;
}

/** The form of a role: its text fields, and its permissions as a grid. */
export function useRoleForm({ role, error, busy, onSubmit }: RoleFormOptions) {
  const saved = scopesOf(levelsOf(role?.scopes ?? []));
  const [chosen, setChosen] = useState(() => levelsOf(role?.scopes ?? []));
  const [isEmpty, setIsEmpty] = useState(false);
  const scopes = scopesOf(chosen);
  const bodyOf = (values: Record<'name' | 'description' | 'project_id', string>): CustomRoleBody => ({
    name: values.name.trim(),
    description: values.description.trim() || null,
    scopes,
    project_id: values.project_id || null,
  });
  const fields = useFields({
    initial: {
      name: role?.name ?? '',
      description: role?.description ?? '',
      project_id: role?.project_id ?? '',
    },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Give the role a name.' : null }),
    error,
    busy,
    onSubmit: (values) => {
      setIsEmpty(scopes.length === 0);
      if (scopes.length > 0) onSubmit(bodyOf(values));
    },
  });
  return {
    fields: { ...fields, isDirty: fields.isDirty || scopes.join() !== saved.join() },
    body: bodyOf(fields.values),
    grid: {
      chosen,
      onChange: setChosen,
      error:
        isEmpty && scopes.length === 0
          ? 'Give the role at least one permission.'
          : error?.param === 'scopes'
            ? error.message
            : null,
    },
  };
}
