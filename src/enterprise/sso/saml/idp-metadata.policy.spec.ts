import { idpMetadata, samlIdp } from '../../../../test/support/saml-idp.js';
import { MetadataProblem, parseIdpMetadata } from './idp-metadata.policy.js';

const idp = samlIdp('idp.example');
const base64 = idp.certificate.replace(/-----[^-]+-----|\s/g, '');
const xml = idpMetadata(idp);
const NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:metadata';
const several = (...entities: string[]): string =>
  `<md:EntitiesDescriptor xmlns:md="${NAMESPACE}">${entities.join('')}</md:EntitiesDescriptor>`;
const entity = xml.replace('<?xml version="1.0"?>', '');
const keyDescriptor = /<md:KeyDescriptor.*<\/md:KeyDescriptor>/.exec(xml)?.[0] ?? '';
const withKeys = (...keys: string[]): string => xml.replace(keyDescriptor, keys.join(''));

describe("an identity provider's metadata", () => {
  it.each([
    ['one entity', xml],
    ['a list of one', several(entity)],
    ['another prefix', xml.replaceAll('md:', 'm:').replace('xmlns:md', 'xmlns:m')],
    ['line breaks in the certificate', xml.replace(base64, base64.replace(/(.{60})/g, '$1\n      '))],
    [
      'a comment in the certificate',
      xml.replace(base64, `${base64.slice(0, 9)}<!-- x -->${base64.slice(9)}`),
    ],
  ])('says where people sign in, and with which key it signs: %s', (_name, text) => {
    expect(parseIdpMetadata(text)).toEqual({
      entityId: idp.entityId,
      ssoUrl: idp.ssoUrl,
      certificates: [base64],
    });
  });

  it('has keys for signing, also those that do not say what they are for, and each once', () => {
    const key = (use: string, certificate: string): string =>
      keyDescriptor.replace(' use="signing"', use).replace(base64, certificate);
    const text = withKeys(
      key(' use="encryption"', 'RU5D'),
      key('', 'Tk9ORQ=='),
      key(' use="signing"', 'U0lHTg=='),
      key('', 'Tk9ORQ=='),
    );
    expect(parseIdpMetadata(text).certificates).toEqual(['Tk9ORQ==', 'U0lHTg==']);
    expect(parseIdpMetadata(withKeys()).certificates).toEqual([]);
  });

  it('takes keys of the identity provider, not of another role', () => {
    const other = keyDescriptor.replace(base64, 'T1RIRVI=');
    const sp = `<md:SPSSODescriptor protocolSupportEnumeration="x">${other}</md:SPSSODescriptor>`;
    const text = xml.replace('</md:EntityDescriptor>', `${sp}</md:EntityDescriptor>`);
    expect(parseIdpMetadata(text).certificates).toEqual([base64]);
  });

  it.each([
    ['text', 'hello', 'is not accepted'],
    ['another document', '<html/>', 'is not SAML 2.0 metadata'],
    ['elements of another namespace', xml.replace(NAMESPACE, 'urn:other'), 'is not SAML 2.0 metadata'],
    ['a DOCTYPE', xml.replace('?>', '?><!DOCTYPE md:EntityDescriptor [<!ENTITY a "b">]>'), 'is not accepted'],
    ['no end', xml.slice(0, -10), 'is not accepted'],
    ['several providers', several(entity, entity), 'not several'],
    ['lists within lists', several(several(entity)), 'not several'],
    ['none', several(), 'not several'],
    ['no entityID', xml.replace(/entityID="[^"]+"/, ''), 'has no entityID'],
    [
      'another role only',
      xml.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'),
      'does not describe an identity',
    ],
    ['no address for redirects', xml.replaceAll('HTTP-Redirect', 'SOAP'), 'HTTP-Redirect'],
    ['more than 1 MB', `${xml}${' '.repeat(1_048_576)}`, 'at most 1 MB'],
  ])('refuses %s', (_name, text, message) => {
    const parse = (): unknown => parseIdpMetadata(text);
    expect(parse).toThrow(MetadataProblem);
    expect(parse).toThrow(message);
  });
});
