import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Badge } from '../../ui/badge.js';
import { DataText } from '../../ui/text/data-text.js';
import { JsonView } from '../../ui/text/json-view.js';
import { KeyValues } from '../../ui/key-values.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Provider, type TokenTest, useTestToken } from './sign-in.queries.js';

const signInCodes = {
  too_large: 'It is too long.',
  malformed: 'It is not a JSON web token.',
  alg_not_allowed: 'It is signed with an algorithm that is not allowed.',
  wrong_issuer: 'It is from another issuer.',
  keys_unavailable: 'The keys of the issuer could not be loaded.',
  unknown_key: 'The issuer has no such key.',
  bad_signature: 'Its signature is wrong.',
  wrong_audience: 'It is for another app.',
  expired: 'It has expired.',
  not_yet_valid: 'It is not valid yet.',
  issued_in_future: 'It was issued in the future: compare the clocks.',
  auth_time_in_future: 'Its sign-in lies in the future: compare the clocks.',
  subject_missing: 'It has no subject.',
  subject_too_long: 'Its subject is too long.',
  app_user_id_missing: 'It lacks the claim of the app user id.',
  app_user_id_invalid: 'Its claim is not a valid app user id.',
} satisfies Record<NonNullable<TokenTest['error_code']>, string>;

function Outcome({ test }: { test: TokenTest }) {
  const { valid, error, error_code: code, app_user_id: id, subject, linked, claims } = test;
  return (
    <div role="status" className="grid gap-3 border-t border-line pt-4">
      {valid ? (
        <Badge tone="good">The token is valid.</Badge>
      ) : (
        <p className="text-bad">
          {code === null ? null : signInCodes[code]} <DataText>{error ?? ''}</DataText>
        </p>
      )}
      {valid && (
        <KeyValues
          items={[
            ['Subject', <DataText key="subject">{subject ?? ''}</DataText>],
            ['App user id', <DataText key="id">{id ?? ''}</DataText>],
            ['Signed in before', linked ? 'Yes' : 'No'],
          ]}
        />
      )}
      {claims && <JsonView label="Claims" value={claims} />}
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
  const form = useForm({
    initial: { id_token: '' },
    check: ({ id_token: token }) => ({ id_token: token.trim() === '' ? 'Fill in this field.' : null }),
    write: test,
    onSubmit: ({ id_token: token }) => test.mutate({ id_token: token.trim() }),
  });
  return (
    <FormDialog
      title={`Test a token of ${visibleText(provider.name)}`}
      effect="Checks an ID token as a sign-in would, without signing in."
      // Discarding a tested token needs no confirmation.
      form={{ ...form, isDirty: false }}
      submit="Test"
      call={{
        operation: 'POST /v2/projects/{project_id}/auth/providers/{provider_id}/actions/test',
        path: { project_id: projectId, provider_id: provider.id },
        body: { id_token: form.values.id_token },
      }}
      onClose={onClose}
    >
      <TextAreaField label="ID token" mono rows={5} autoComplete="off" {...form.field('id_token')} />
      {test.data && <Outcome test={test.data} />}
    </FormDialog>
  );
}
