import type { OidcSettings, SsoConnection, SsoConnectionBody } from '../../api/enterprise.types.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { ConnectionForm } from './connection-form.js';

interface OidcPanelProps {
  orgId: string;
  connection: SsoConnection;
  oidc: OidcSettings;
}

const oidcValuesOf = (oidc: OidcSettings) => ({
  issuer: oidc.issuer ?? '',
  client_id: oidc.client_id ?? '',
  client_secret: '',
  scopes: oidc.scopes,
  groups_claim: oidc.groups_claim ?? '',
  email_claim: oidc.email_claim ?? '',
});

export type OidcValues = ReturnType<typeof oidcValuesOf>;

/** Values from an OpenID Connect provider. */
export function OidcPanel({ orgId, connection, oidc }: OidcPanelProps) {
  const initial = oidcValuesOf(oidc);
  return (
    <ConnectionForm
      orgId={orgId}
      connection={connection}
      initial={{ oidc: initial }}
      settingsOf={({ oidc: values = initial }) => {
        const names = (Object.keys(initial) as (keyof OidcValues)[]).filter(
          (name) => values[name].trim() !== initial[name],
        );
        if (names.length === 0) return {};
        const changes = names.map((name) => [name, values[name].trim() || null]);
        return { oidc: Object.fromEntries(changes) as NonNullable<SsoConnectionBody['oidc']> };
      }}
    >
      {(form) => {
        const field = (name: keyof OidcValues) => ({
          ...form.field(`oidc.${name}`),
          autoComplete: 'off',
        });
        return (
          <>
            <TextField
              label="Issuer"
              hint="The address below which the provider has /.well-known/openid-configuration."
              mono
              inputMode="url"
              {...field('issuer')}
            />
            <TextField label="Client id" mono {...field('client_id')} />
            <SecretField
              label="Client secret"
              hint={
                oidc.has_client_secret
                  ? 'A secret is saved and not shown again. Leave empty to keep it.'
                  : undefined
              }
              {...field('client_secret')}
            />
            <TextField label="Scopes" mono {...field('scopes')} />
            <TextField
              label="Claim with the groups"
              hint="Empty: groups are not read."
              mono
              {...field('groups_claim')}
            />
            <TextField
              label="Claim with the email address"
              hint="Empty: email. Choose a claim that only your administrators can change. Whoever can change it can sign in as anyone in your domains. Entra ID: preferred_username; AD FS: upn."
              mono
              {...field('email_claim')}
            />
          </>
        );
      }}
    </ConnectionForm>
  );
}
