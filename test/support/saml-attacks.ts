import { createHmac } from 'node:crypto';
import {
  assertionXml,
  newSamlId,
  responseXml,
  type ResponseParts,
  type SamlIdp,
  type ServiceProvider,
  signedResponse,
  signXml,
} from './saml-idp.js';

/** Parts of an attack. `victim` is the address that the attacker wants to be. */
export interface AttackScene {
  idp: SamlIdp;
  /** Of another connection, which signs what it likes. */
  otherIdp: SamlIdp;
  sp: ServiceProvider;
  nowMs: number;
  inResponseTo: string | null;
}

export interface SamlAttack {
  name: string;
  reason: string;
  /** The text as posted: base64. */
  make(scene: AttackScene): string;
}

const SHA1 = 'http://www.w3.org/2000/09/xmldsig#';
const VICTIM = 'victim@example.com';

function encode(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

function partsOf({ nowMs, inResponseTo }: AttackScene, changes: Partial<ResponseParts> = {}): ResponseParts {
  return { nowMs, inResponseTo, ...changes };
}

/** A response that is right apart from these parts. */
function signedWith(
  changes: Partial<ResponseParts>,
  signed: 'Response' | 'Assertion' = 'Assertion',
): SamlAttack['make'] {
  return (scene) => encode(signedResponse(scene.idp, scene.sp, partsOf(scene, changes), signed));
}

/** Changes the text of a response after it was signed. */
function edited(
  edit: (xml: string, scene: AttackScene) => string,
  signed: 'Response' | 'Assertion' = 'Assertion',
): SamlAttack['make'] {
  return (scene) => encode(edit(signedResponse(scene.idp, scene.sp, partsOf(scene), signed), scene));
}

function assertionOf(xml: string): string {
  return /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
}

function signatureIn(xml: string): string {
  return /<Signature[\s\S]*?<\/Signature>/.exec(xml)?.[0] ?? '';
}

/** An unsigned assertion. */
function forged(scene: AttackScene, assertionId = newSamlId()): string {
  return assertionXml(scene.idp, scene.sp, partsOf(scene, { nameId: VICTIM, assertionId }));
}

const idOf = (xml: string): string => /ID="([^"]+)"/.exec(xml)?.[1] ?? '';

/** The eight ways to move signed content out of sight (Somorovsky and others, 2012), and relatives. */
const wrapping: SamlAttack[] = [
  {
    name: 'wrapping 1: a forged response around the signed one',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const response = responseXml(scene.idp, scene.sp, partsOf(scene, { nameId: VICTIM }));
      return response.replace(
        '</samlp:Response>',
        `<samlp:Extensions>${xml}</samlp:Extensions></samlp:Response>`,
      );
    }, 'Response'),
  },
  {
    name: 'wrapping 2: the signed response as an object of a signature',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const signature = signatureIn(xml);
      const original = xml.replace(signature, '');
      const wrapped = signature.replace('</Signature>', `<Object>${original}</Object></Signature>`);
      const response = responseXml(scene.idp, scene.sp, partsOf(scene, { nameId: VICTIM }));
      return response.replace('<samlp:Status>', `${wrapped}<samlp:Status>`);
    }, 'Response'),
  },
  {
    name: 'wrapping 3: a forged assertion before the signed one',
    reason: 'assertion_count',
    make: edited((xml, scene) => xml.replace('<saml:Assertion', `${forged(scene)}<saml:Assertion`)),
  },
  {
    name: 'wrapping 4: a forged assertion after the signed one',
    reason: 'assertion_count',
    make: edited((xml, scene) => xml.replace('</samlp:Response>', `${forged(scene)}</samlp:Response>`)),
  },
  {
    name: 'wrapping 5: the signed assertion within the forged one',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const signed = assertionOf(xml);
      return xml.replace(
        signed,
        forged(scene).replace('</saml:Assertion>', `<saml:Advice>${signed}</saml:Advice></saml:Assertion>`),
      );
    }),
  },
  {
    name: 'wrapping 6: the signed assertion within the signature of the forged one',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const signed = assertionOf(xml);
      const signature = signatureIn(signed);
      const content = signed.replace(signature, '');
      const wrapped = signature.replace('</Signature>', `<Object>${content}</Object></Signature>`);
      return xml.replace(signed, forged(scene).replace('<saml:Subject>', `${wrapped}<saml:Subject>`));
    }),
  },
  {
    name: 'wrapping 7: the signed assertion in Extensions, with its signature on the forged one',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const signed = assertionOf(xml);
      const signature = signatureIn(signed);
      const extensions = `<samlp:Extensions>${signed.replace(signature, '')}</samlp:Extensions>`;
      const fake = forged(scene).replace('<saml:Subject>', `${signature}<saml:Subject>`);
      return xml.replace(signed, fake).replace('<samlp:Status>', `${extensions}<samlp:Status>`);
    }),
  },
  {
    name: 'wrapping 8: the signature on a forged assertion that has the same ID',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const signed = assertionOf(xml);
      const fake = forged(scene, idOf(signed)).replace(
        '<saml:Subject>',
        `${signatureIn(signed)}<saml:Subject>`,
      );
      return xml.replace(signed, `${fake}${signed.replace(signatureIn(signed), '')}`);
    }),
  },
  {
    name: 'wrapping 9: the signed assertion under a name of another namespace',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const signed = assertionOf(xml);
      return xml.replace(signed, `<x:Assertion xmlns:x="urn:x">${signed}</x:Assertion>${forged(scene)}`);
    }),
  },
  {
    name: 'a signature moved to the response, whose content it does not cover',
    reason: 'signature',
    make: edited((xml, scene) => {
      const signed = assertionOf(xml);
      return xml
        .replace(signed, forged(scene))
        .replace('<samlp:Status>', `${signatureIn(signed)}<samlp:Status>`);
    }),
  },
  {
    name: 'a second element with the ID of the assertion',
    reason: 'signature',
    make: edited((xml) => {
      const id = idOf(assertionOf(xml));
      return xml.replace(
        '<samlp:Status>',
        `<samlp:Extensions><x ID="${id}"/></samlp:Extensions><samlp:Status>`,
      );
    }),
  },
  {
    name: 'a second signature elsewhere in the response',
    reason: 'signature',
    make: edited((xml) =>
      xml.replace('<samlp:Status>', `<samlp:Extensions>${signatureIn(xml)}</samlp:Extensions><samlp:Status>`),
    ),
  },
];

const forgedSignatures: SamlAttack[] = [
  {
    name: 'no signature at all',
    reason: 'signature',
    make: (scene) => encode(responseXml(scene.idp, scene.sp, partsOf(scene))),
  },
  {
    name: 'content changed after signing',
    reason: 'signature',
    make: edited((xml) => xml.replace('ada@example.com', VICTIM)),
  },
  {
    name: 'a digest changed to fit changed content',
    reason: 'signature',
    make: edited((xml) => xml.replace(/(?<=<DigestValue>)./, (first) => (first === 'A' ? 'B' : 'A'))),
  },
  {
    name: 'a comment within the digest',
    reason: 'signature',
    make: edited((xml) => xml.replace('<DigestValue>', '<DigestValue><!-- x -->')),
  },
  {
    name: 'an emptied signature value',
    reason: 'signature',
    make: edited((xml) => xml.replace(/<SignatureValue>[^<]*/, '<SignatureValue>')),
  },
  {
    name: 'a certificate that the connection does not have, in KeyInfo',
    reason: 'signature',
    make: (scene) => {
      const stranger = { ...scene.otherIdp, entityId: scene.idp.entityId };
      return encode(signedResponse(stranger, scene.sp, partsOf(scene, { nameId: VICTIM })));
    },
  },
  {
    name: "another connection's key, in its own name",
    reason: 'signature',
    make: (scene) => encode(signedResponse(scene.otherIdp, scene.sp, partsOf(scene))),
  },
  {
    name: 'RSA with SHA-1',
    reason: 'signature',
    make: (scene) =>
      encode(
        signXml(responseXml(scene.idp, scene.sp, partsOf(scene)), scene.idp, 'Assertion', {
          signature: `${SHA1}rsa-sha1`,
        }),
      ),
  },
  {
    name: 'a SHA-1 digest under a SHA-256 signature',
    reason: 'signature',
    make: (scene) =>
      encode(
        signXml(responseXml(scene.idp, scene.sp, partsOf(scene)), scene.idp, 'Assertion', {
          digest: `${SHA1}sha1`,
        }),
      ),
  },
  {
    name: 'HMAC with the certificate as its secret',
    reason: 'signature',
    make: edited((xml, scene) => {
      const changed = xml.replace(
        'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
      );
      const info = /<SignedInfo>[\s\S]*<\/SignedInfo>/.exec(changed)?.[0] ?? '';
      const canonical = info.replace('<SignedInfo>', `<SignedInfo xmlns="${SHA1}">`);
      const mac = createHmac('sha1', scene.idp.certificate).update(canonical).digest('base64');
      return changed.replace(/<SignatureValue>[^<]*/, `<SignatureValue>${mac}`);
    }),
  },
  {
    name: 'inclusive canonicalization',
    reason: 'signature',
    make: (scene) =>
      encode(
        signXml(responseXml(scene.idp, scene.sp, partsOf(scene)), scene.idp, 'Assertion', {
          canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
        }),
      ),
  },
  {
    name: 'a canonicalization that keeps comments',
    reason: 'signature',
    make: (scene) =>
      encode(
        signXml(responseXml(scene.idp, scene.sp, partsOf(scene)), scene.idp, 'Assertion', {
          transforms: [`${SHA1}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'],
        }),
      ),
  },
  {
    name: 'a transform that selects other content',
    reason: 'signature',
    make: edited((xml) =>
      xml.replace(
        '</Transforms>',
        '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></Transforms>',
      ),
    ),
  },
  {
    name: 'a reference to the whole document',
    reason: 'signature',
    make: edited((xml) => xml.replace(/<Reference URI="[^"]*"/, '<Reference URI=""')),
  },
  {
    name: 'two references',
    reason: 'signature',
    make: edited((xml) => {
      const reference = /<Reference[\s\S]*<\/Reference>/.exec(xml)?.[0] ?? '';
      return xml.replace(reference, reference + reference);
    }),
  },
  {
    name: 'two SignedInfo elements',
    reason: 'signature',
    make: edited((xml) => {
      const info = /<SignedInfo>[\s\S]*<\/SignedInfo>/.exec(xml)?.[0] ?? '';
      return xml.replace(info, info + info);
    }),
  },
  {
    name: 'an unsigned assertion in a response whose signature was broken by it',
    reason: 'signature',
    make: edited((xml, scene) => xml.replace(assertionOf(xml), forged(scene)), 'Response'),
  },
  {
    name: 'a well signed assertion in a response that is signed by a stranger',
    reason: 'signature',
    make: edited((xml, scene) => signXml(xml, scene.otherIdp, 'Response')),
  },
  {
    name: 'an assertion signed by a stranger in a well signed response',
    reason: 'signature',
    make: (scene) => {
      const inner = signXml(responseXml(scene.idp, scene.sp, partsOf(scene)), scene.otherIdp, 'Assertion');
      return encode(signXml(inner, scene.idp, 'Response'));
    },
  },
];

const odd: SamlAttack[] = [
  { name: 'nothing', reason: 'malformed', make: () => '' },
  { name: 'no base64', reason: 'malformed', make: () => '<samlp:Response/>' },
  { name: 'no UTF-8', reason: 'malformed', make: () => Buffer.from([0xff, 0xfe, 0x3c]).toString('base64') },
  { name: 'no XML', reason: 'malformed', make: () => encode('hello') },
  { name: 'XML that ends early', reason: 'malformed', make: edited((xml) => xml.slice(0, -20)) },
  { name: 'two root elements', reason: 'malformed', make: edited((xml) => xml + xml) },
  {
    name: 'encoded twice',
    reason: 'malformed',
    make: edited((xml) => Buffer.from(xml).toString('base64')),
  },
  {
    name: 'a DOCTYPE',
    reason: 'malformed',
    make: edited((xml) => `<!DOCTYPE samlp:Response>${xml}`),
  },
  {
    name: 'an entity',
    reason: 'malformed',
    make: edited((xml) => `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`),
  },
  {
    name: 'a processing instruction',
    reason: 'malformed',
    make: edited((xml) => xml.replace('<samlp:Status>', '<?php x ?><samlp:Status>')),
  },
  {
    name: 'a processing instruction within the address',
    reason: 'malformed',
    make: edited((xml) => xml.replace('ada@example.com', 'ada@example.com<?x y?>.evil.example')),
  },
  { name: '2 MB', reason: 'malformed', make: edited((xml) => xml + ' '.repeat(2_000_000)) },
  {
    name: 'ten thousand nested elements',
    reason: 'malformed',
    make: edited((xml) =>
      xml.replace('<samlp:Status>', `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}<samlp:Status>`),
    ),
  },
  { name: 'SAML 1.1', reason: 'malformed', make: signedWith({ version: '1.1' }) },
  {
    name: 'a request instead of a response',
    reason: 'malformed',
    make: edited((xml) => xml.replaceAll('samlp:Response', 'samlp:AuthnRequest')),
  },
  {
    name: 'a bare assertion',
    reason: 'malformed',
    make: edited((xml) => assertionOf(xml)),
  },
  {
    name: 'a failure with a signed assertion',
    reason: 'idp_status',
    make: signedWith({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }),
  },
  {
    name: 'a signed failure',
    reason: 'idp_status',
    make: signedWith({ status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' }, 'Response'),
  },
  {
    name: 'no assertion',
    reason: 'assertion_count',
    make: edited((xml) => xml.replace(assertionOf(xml), '')),
  },
  {
    name: 'two assertions, both signed',
    reason: 'assertion_count',
    make: edited((xml, scene) => {
      const other = signedResponse(scene.idp, scene.sp, partsOf(scene, { nameId: VICTIM }));
      return xml.replace('</samlp:Response>', `${assertionOf(other)}</samlp:Response>`);
    }),
  },
  {
    name: 'an encrypted assertion',
    reason: 'encrypted',
    make: edited((xml) =>
      xml.replace(
        assertionOf(xml),
        '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>',
      ),
    ),
  },
];

const wrongParts: SamlAttack[] = [
  { name: 'another issuer', reason: 'issuer', make: signedWith({ issuer: 'https://evil.example/saml' }) },
  {
    name: 'another issuer of the response',
    reason: 'issuer',
    make: signedWith({ responseIssuer: 'https://evil.example/saml' }),
  },
  {
    name: 'an issuer that begins alike',
    reason: 'issuer',
    make: signedWith({ issuer: 'https://idp.example/saml/' }),
  },
  {
    name: 'another destination',
    reason: 'destination',
    make: signedWith({ destination: 'https://other.example/acs' }),
  },
  {
    name: 'no destination of a signed response',
    reason: 'destination',
    make: signedWith({ destination: null }, 'Response'),
  },
  {
    name: 'another recipient',
    reason: 'recipient',
    make: signedWith({ recipient: 'https://other.example/acs' }),
  },
  { name: 'no recipient', reason: 'recipient', make: signedWith({ recipient: null }) },
  {
    name: 'a confirmation that is not bearer',
    reason: 'recipient',
    make: signedWith({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  },
  {
    name: 'two confirmations',
    reason: 'recipient',
    make: signedWith({
      extraSubject:
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData/></saml:SubjectConfirmation>',
    }),
  },
  { name: 'an expired confirmation', reason: 'expired', make: signedWith({ subjectNotOnOrAfter: -60_000 }) },
  {
    name: 'a confirmation without an end',
    reason: 'expired',
    make: signedWith({ subjectNotOnOrAfter: null }),
  },
  {
    name: 'a confirmation of later',
    reason: 'not_yet_valid',
    make: signedWith({ subjectNotBefore: 61_000 }),
  },
  {
    name: 'expired conditions',
    reason: 'expired',
    make: signedWith({ notOnOrAfter: -60_000, subjectNotOnOrAfter: 300_000 }),
  },
  { name: 'conditions of later', reason: 'not_yet_valid', make: signedWith({ notBefore: 61_000 }) },
  {
    name: 'another audience',
    reason: 'audience',
    make: signedWith({ audience: 'https://other.example/saml' }),
  },
  { name: 'no audience', reason: 'audience', make: signedWith({ audience: null }) },
  {
    name: 'a second restriction that names another audience',
    reason: 'audience',
    make: signedWith({
      extraConditions:
        '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
    }),
  },
  {
    name: 'an unknown condition',
    reason: 'audience',
    make: signedWith({ extraConditions: '<saml:Condition/>' }),
  },
  {
    name: 'an answer to another request on the subject',
    reason: 'in_response_to',
    make: signedWith({ subjectInResponseTo: '_other' }),
  },
  {
    name: 'an answer to no request on the subject',
    reason: 'in_response_to',
    make: (scene) =>
      encode(
        signedResponse(
          scene.idp,
          scene.sp,
          partsOf(scene, { inResponseTo: '_stolen', subjectInResponseTo: null }),
        ),
      ),
  },
];

/** All of them are refused before the state of a sign-in, or a person, is looked up. */
export const samlAttacks: readonly SamlAttack[] = [...wrapping, ...forgedSignatures, ...odd, ...wrongParts];
