import type { SamlSettings, SsoConnectionBody } from '../../api/enterprise.types.js';

export const samlTexts = [
  'idp_entity_id',
  'idp_sso_url',
  'email_attribute',
  'first_name_attribute',
  'last_name_attribute',
  'groups_attribute',
] as const;

export type SamlValues = Record<(typeof samlTexts)[number] | 'idp_certificates' | 'metadata_xml', string> & {
  allow_idp_initiated: boolean;
};

/** Extracts certificates from text: consecutive PEM blocks, or one bare base64 text per paragraph. */
export function certificatesIn(text: string): string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  return (blocks ?? text.split(/\n\s*\n/)).map((block) => block.trim()).filter((block) => block !== '');
}

export const samlValuesOf = (saml: SamlSettings): SamlValues => ({
  ...(Object.fromEntries(samlTexts.map((name) => [name, saml[name] ?? ''])) as Record<
    (typeof samlTexts)[number],
    string
  >),
  idp_certificates: saml.idp_certificates.join('\n'),
  metadata_xml: '',
  allow_idp_initiated: saml.allow_idp_initiated,
});

/** Returns the changed settings. Explicit fields override metadata in the same body. */
export function samlBodyOf(saved: SamlSettings, values: SamlValues): NonNullable<SsoConnectionBody['saml']> {
  const before = samlValuesOf(saved);
  const changed = samlTexts
    .filter((name) => values[name].trim() !== before[name])
    .map((name) => [name, values[name].trim() || (name.endsWith('_attribute') ? null : '')]);
  return {
    ...(values.metadata_xml.trim() === '' ? {} : { metadata_xml: values.metadata_xml }),
    ...(Object.fromEntries(changed) as SsoConnectionBody['saml']),
    ...(values.idp_certificates.trim() === before.idp_certificates.trim()
      ? {}
      : { idp_certificates: certificatesIn(values.idp_certificates) }),
    ...(values.allow_idp_initiated === before.allow_idp_initiated
      ? {}
      : { allow_idp_initiated: values.allow_idp_initiated }),
  };
}
