import { EMAIL_FORMAT, METADATA, POST_BINDING, PROTOCOL } from './saml-names.js';
import { escapeXml } from './xml.js';

/** Contains no keys, because signed requests, encryption and single logout are not offered. */
export function spMetadataXml({ spEntityId, acsUrl }: { spEntityId: string; acsUrl: string }): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${escapeXml(spEntityId)}">` +
    `<md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">` +
    `<md:NameIDFormat>${EMAIL_FORMAT}</md:NameIDFormat>` +
    `<md:AssertionConsumerService Binding="${POST_BINDING}" Location="${escapeXml(acsUrl)}" index="0" isDefault="true"/>` +
    '</md:SPSSODescriptor></md:EntityDescriptor>\n'
  );
}
