import type { ComponentProps, ReactNode } from 'react';
import { FormDialog } from '../../../frame/forms/form-dialog.js';
import { TextField } from '../../../ui/forms/text-field.js';
import { visibleText } from '../../../ui/text/visible-text.js';

interface SettingDialogProps {
  projectId: string;
  /** The kind of setting, as in "New color". */
  thing: string;
  /** Null for a new one. */
  name: string | null;
  form: ComponentProps<typeof FormDialog>['form'];
  nameField: ComponentProps<typeof TextField>;
  body: object;
  onClose: () => void;
  children: ReactNode;
}

/** Adds or edits one setting. Its name stays, because documents contain it. */
export function SettingDialog(props: SettingDialogProps) {
  const { projectId, thing, name, form, nameField, body, onClose, children } = props;
  return (
    <FormDialog
      title={name === null ? `New ${thing}` : `Edit ${visibleText(name)}`}
      size="sm"
      form={form}
      submit={name === null ? 'Add' : 'Save'}
      effect={name === null ? undefined : 'Published paywalls change at once.'}
      call={{
        operation: 'POST /v2/projects/{project_id}/paywall_settings',
        path: { project_id: projectId },
        body,
      }}
      onClose={onClose}
    >
      {name === null && <TextField autoComplete="off" {...nameField} />}
      {children}
    </FormDialog>
  );
}
