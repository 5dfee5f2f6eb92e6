import { useState } from 'react';
import type { SamlSettings, SsoConnection } from '../../api/enterprise.types.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { DataText } from '../../ui/text/data-text.js';
import { TextAreaField, TextField } from '../../ui/forms/text-field.js';
import { ConnectionForm } from './connection-form.js';
import { MetadataField } from './metadata-field.js';
import { samlBodyOf, samlValuesOf } from './saml-body.js';
import { text } from './sso.text.js';

const attributes = [
  ['email_attribute', text.emailAttribute],
  ['first_name_attribute', text.firstName],
  ['last_name_attribute', text.lastName],
  ['groups_attribute', text.groups],
] as const;

interface SamlPanelProps {
  orgId: string;
  connection: SsoConnection;
  saml: SamlSettings;
}

/** Values from a SAML provider: its metadata, or each field. */
export function SamlPanel({ orgId, connection, saml }: SamlPanelProps) {
  const [isIdpInitiated, setIsIdpInitiated] = useState(saml.allow_idp_initiated);
  return (
    <ConnectionForm
      orgId={orgId}
      connection={connection}
      initial={samlValuesOf(saml)}
      isMoreDirty={isIdpInitiated !== saml.allow_idp_initiated}
      settingsOf={(values) => {
        const body = {
          ...samlBodyOf(saml, values),
          ...(isIdpInitiated === saml.allow_idp_initiated ? {} : { allow_idp_initiated: isIdpInitiated }),
        };
        return Object.keys(body).length > 0 ? { saml: body } : {};
      }}
    >
      {(fields) => {
        const field = (name: Parameters<typeof fields.field>[0]) => ({
          ...fields.field(name),
          autoComplete: 'off',
        });
        return (
          <>
            <MetadataField
              error={fields.field('metadata_xml').error}
              onRead={(xml) => fields.set('metadata_xml', xml)}
            />
            <TextField label={text.ownEntityId} mono {...field('idp_entity_id')} />
            <TextField label={text.ssoUrl} mono inputMode="url" {...field('idp_sso_url')} />
            <TextAreaField
              label={text.certificates}
              hint={text.certificatesHint}
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
              label={text.idpInitiated}
              hint={text.idpInitiatedHint}
              checked={isIdpInitiated}
              onChange={({ target }) => setIsIdpInitiated(target.checked)}
            />
            <fieldset className="grid min-w-0 gap-3 sm:grid-cols-2">
              <legend className="mb-1 font-medium">{text.attributes}</legend>
              <p className="text-sm text-muted sm:col-span-2">{text.attributesHint}</p>
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
