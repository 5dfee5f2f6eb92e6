import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { Badge } from '../../ui/badge.js';
import { DataText } from '../../ui/text/data-text.js';
import { JsonView } from '../../ui/text/json-view.js';
import { KeyValues } from '../../ui/key-values.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Provider, type TokenTest, useTestToken } from './sign-in.queries.js';
import { text } from './sign-in.text.js';

function Outcome({ test }: { test: TokenTest }) {
  const { valid, error, error_code: code, app_user_id: id, subject, linked, claims } = test;
  return (
    <div role="status" className="grid gap-3 border-t border-line pt-4">
      {valid ? (
        <Badge tone="good">{text.valid}</Badge>
      ) : (
        <p className="text-bad">
          {code === null ? null : text.codes[code]} <DataText>{error ?? ''}</DataText>
        </p>
      )}
      {valid && (
        <KeyValues
          items={[
            [text.columns.subject, <DataText key="subject">{subject ?? ''}</DataText>],
            [text.becomes, <DataText key="id">{id ?? ''}</DataText>],
            [text.linked, linked ? text.yes : text.no],
          ]}
        />
      )}
      {claims && <JsonView label={text.claims} value={claims} />}
    </div>
  );
}

interface TokenTestDialogProps {
  projectId: string;
  provider: Provider;
  onClose: () => void;
}

/** Shows which check an ID token fails, or whom it would sign in. */
export function TokenTestDialog({ projectId, provider, onClose }: TokenTestDialogProps) {
  const test = useTestToken(projectId, provider.id);
  const fields = useFields({
    initial: { id_token: '' },
    check: ({ id_token: token }) => ({ id_token: token.trim() === '' ? text.missing : null }),
    error: test.error,
    busy: test.isPending,
    onSubmit: ({ id_token: token }) => test.mutate({ id_token: token.trim() }),
  });
  return (
    <FormDialog
      title={text.testTitle(visibleText(provider.name))}
      effect={text.testEffect}
      // Discarding a tested token needs no confirmation.
      fields={{ ...fields, isDirty: false }}
      submit={text.runTest}
      busy={test.isPending}
      error={test.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/auth/providers/{provider_id}/actions/test',
        path: { project_id: projectId, provider_id: provider.id },
        body: { id_token: fields.values.id_token },
      }}
      onClose={onClose}
    >
      <TextAreaField label={text.token} mono rows={5} autoComplete="off" {...fields.field('id_token')} />
      {test.data && <Outcome test={test.data} />}
    </FormDialog>
  );
}
