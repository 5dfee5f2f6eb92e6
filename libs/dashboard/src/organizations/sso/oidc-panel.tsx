import type { OidcSettings, SsoConnection, SsoConnectionBody } from '../../api/enterprise.types.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { ConnectionForm } from './connection-form.js';
import { text } from './sso.text.js';

interface OidcPanelProps {
  orgId: string;
  connection: SsoConnection;
  oidc: OidcSettings;
}

/** Values from an OpenID Connect provider. */
export function OidcPanel({ orgId, connection, oidc }: OidcPanelProps) {
  const initial = {
    issuer: oidc.issuer ?? '',
    client_id: oidc.client_id ?? '',
    client_secret: '',
    scopes: oidc.scopes,
    groups_claim: oidc.groups_claim ?? '',
    email_claim: oidc.email_claim ?? '',
  };
  return (
    <ConnectionForm
      orgId={orgId}
      connection={connection}
      initial={initial}
      settingsOf={(values) => {
        const names = (Object.keys(initial) as (keyof typeof initial)[]).filter(
          (name) => values[name].trim() !== initial[name],
        );
        if (names.length === 0) return {};
        const changes = names.map((name) => [name, values[name].trim() || null]);
        return { oidc: Object.fromEntries(changes) as NonNullable<SsoConnectionBody['oidc']> };
      }}
    >
      {(fields) => {
        const field = (name: keyof typeof initial) => ({
          ...fields.field(name),
          autoComplete: 'off',
        });
        return (
          <>
            <TextField label={text.issuer} hint={text.issuerHint} mono inputMode="url" {...field('issuer')} />
            <TextField label={text.clientId} mono {...field('client_id')} />
            <SecretField
              label={text.clientSecret}
              hint={oidc.has_client_secret ? text.secretSet : undefined}
              {...field('client_secret')}
            />
            <TextField label={text.scopes} mono {...field('scopes')} />
            <TextField label={text.groupsClaim} hint={text.groupsClaimHint} mono {...field('groups_claim')} />
            <TextField label={text.emailClaim} hint={text.emailClaimHint} mono {...field('email_claim')} />
          </>
        );
      }}
    </ConnectionForm>
  );
}
