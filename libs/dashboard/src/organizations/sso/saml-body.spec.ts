import { certificatesIn, samlBodyOf, samlValuesOf } from './saml-body.js';

const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
const saved = {
  idp_entity_id: 'https://idp.example.com',
  idp_sso_url: 'https://idp.example.com/sso',
  idp_certificates: [pem('AAAA')],
  certificate_warnings: [],
  allow_idp_initiated: false,
  email_attribute: null,
  first_name_attribute: null,
  last_name_attribute: null,
  groups_attribute: 'groups',
};

describe('the settings of a SAML connection', () => {
  it.each([
    [`${pem('AAAA')}\n${pem('BBBB')}`, [pem('AAAA'), pem('BBBB')]],
    ['AAAA\nBBBB\n\nCCCC', ['AAAA\nBBBB', 'CCCC']],
    [' \n', []],
  ])('reads certificates one below the other', (text, certificates) => {
    expect(certificatesIn(text)).toEqual(certificates);
  });

  it('sends what was changed only: an emptied field is null, and the metadata is left to fill the others', () => {
    const values = samlValuesOf(saved);
    expect(samlBodyOf(saved, values)).toEqual({});
    expect(samlBodyOf(saved, { ...values, metadata_xml: '<EntityDescriptor/>' })).toEqual({
      metadata_xml: '<EntityDescriptor/>',
    });
    expect(samlBodyOf(saved, { ...values, groups_attribute: ' ', idp_certificates: pem('CCCC') })).toEqual({
      groups_attribute: null,
      idp_certificates: [pem('CCCC')],
    });
  });
});
