import type { SamlSettings, SsoConnection } from '../../api/enterprise.types.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { DataText } from '../../ui/text/data-text.js';
import { TextAreaField, TextField } from '../../ui/forms/text-field.js';
import { ConnectionForm } from './connection-form.js';
import { MetadataField } from './metadata-field.js';
import { samlBodyOf, type samlTexts, samlValuesOf } from './saml-body.js';

const attributes = [
  ['email_attribute', 'Email address'],
  ['first_name_attribute', 'First name'],
  ['last_name_attribute', 'Last name'],
  ['groups_attribute', 'Groups'],
] as const;

interface SamlPanelProps {
  orgId: string;
  connection: SsoConnection;
  saml: SamlSettings;
}

/** Values from a SAML provider: its metadata, or each field. */
export function SamlPanel({ orgId, connection, saml }: SamlPanelProps) {
  const initial = samlValuesOf(saml);
  return (
    <ConnectionForm
      orgId={orgId}
      connection={connection}
      initial={{ saml: initial }}
      settingsOf={({ saml: values = initial }) => {
        const body = samlBodyOf(saml, values);
        return Object.keys(body).length > 0 ? { saml: body } : {};
      }}
    >
      {(form) => {
        const field = (name: (typeof samlTexts)[number] | 'idp_certificates') => ({
          ...form.field(`saml.${name}`),
          autoComplete: 'off',
        });
        return (
          <>
            <MetadataField
              error={form.errorAt('saml.metadata_xml')}
              onRead={(xml) => form.set('saml.metadata_xml', xml)}
            />
            <TextField label="Entity id of the provider (issuer)" mono {...field('idp_entity_id')} />
            <TextField
              label="Sign-in address (HTTP-Redirect)"
              mono
              inputMode="url"
              {...field('idp_sso_url')}
            />
            <TextAreaField
              label="Signing certificates"
              hint="Up to five, as PEM. Others are not accepted."
              mono
              rows={5}
              {...field('idp_certificates')}
            />
            {saml.certificate_warnings.length > 0 && (
              <ul className="list-disc ps-5 text-warn">
                {saml.certificate_warnings.map((warning) => (
                  <li key={warning}>
                    <DataText>{warning}</DataText>
                  </li>
                ))}
              </ul>
            )}
            <Checkbox
              label="Accept sign-ins started at the provider"
              hint="Safer off: people start here, or with the address below “Try it”."
              {...form.checkbox('saml.allow_idp_initiated')}
            />
            <fieldset className="grid min-w-0 gap-3 sm:grid-cols-2">
              <legend className="mb-1 font-medium">Names of attributes</legend>
              <p className="text-sm text-muted sm:col-span-2">Default: the usual names.</p>
              {attributes.map(([name, label]) => (
                <TextField key={name} label={label} mono {...field(name)} />
              ))}
            </fieldset>
          </>
        );
      }}
    </ConnectionForm>
  );
}
