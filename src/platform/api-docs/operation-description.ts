interface DescribedOperation {
  description?: string;
  security?: object[];
  responses: Record<string, object>;
  'x-required-permissions'?: string[];
  'x-required-scope'?: string;
  'x-required-role'?: string;
  'x-required-organization-role'?: string;
  /** The licensed feature; true if any license is enough. */
  'x-enterprise'?: string | true;
}

/** Errors caused by a credential or by the request in general, whatever the operation. */
const GENERAL_ERRORS = ['400', '401', '403', '404'];

const code = (text: string): string => `\`${text}\``;

function listed(texts: string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
}

const organizationRoles: Record<string, string> = {
  member: 'the session of an active member of the organization',
  admin: 'the session of an owner or admin of the organization',
  owner: 'the session of an owner of the organization',
};

function personText(operation: DescribedOperation): string {
  const feature = operation['x-enterprise'];
  const licensed = typeof feature === 'string' ? `, and the licensed feature ${code(feature)}` : '';
  const role = operation['x-required-organization-role'];
  if (role !== undefined) return `${organizationRoles[role] ?? 'a session'}${licensed}`;
  return operation['x-required-role'] === 'admin'
    ? 'the session of an admin of the project'
    : `a session${licensed}`;
}

function permissionText(operation: DescribedOperation): string {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const permissions = operation['x-required-permissions'] ?? [];
  const noun = permissions.length > 1 ? 'permissions' : 'permission';
  const named = permissions.length > 0 ? ` with the ${noun} ${listed(permissions.map(code))}` : '';
  const scope = operation['x-required-scope'];
  const person = personText(operation);
  const credentials = [
    schemes.includes('public_key') && 'the public key of an app',
    schemes.includes('customer_token') && 'the access token of the customer',
    schemes.includes('secret_key') && `a secret key${named}`,
    schemes.includes('oauth_token') &&
      `an OAuth client${scope === undefined ? named : ` with the scope ${code(scope)}`}`,
    schemes.includes('session') &&
      (schemes.includes('secret_key') ? `a session${named}` : `${person}${named}`),
  ].filter((text) => text !== false);
  return credentials.length === 0 ? 'no credential' : credentials.join(', or ');
}

/** Errors caused by the operation itself: those whose description says when they occur. */
function ownErrors({ responses }: DescribedOperation): [status: string, description: string][] {
  return Object.entries(responses)
    .filter(([status]) => status >= '400' && !GENERAL_ERRORS.includes(status))
    .map(([status, response]): [string, string] => [
      status,
      'description' in response ? String(response.description) : '',
    ])
    .filter(([, description]) => description !== '');
}

function errorText(operation: DescribedOperation, own: [string, string][]): string {
  const others = Object.keys(operation.responses).filter(
    (status) => status >= '400' && !own.some(([known]) => known === status),
  );
  const ownTexts = own.map(([status, description]) => `${code(status)} ${description}`);
  if (others.length === 0) return ownTexts.join(' ');
  return [...ownTexts, `${own.length > 0 ? 'Also ' : ''}${listed(others.map(code))}.`].join(' ');
}

/** @param addCommonAnswers adds the responses that do not come from the operation itself */
export function describeOperation(operation: DescribedOperation, addCommonAnswers: () => void): void {
  const own = ownErrors(operation);
  addCommonAnswers();
  const errors = errorText(operation, own);
  operation.description = [
    operation.description ?? '',
    `**Needs** ${permissionText(operation)}.`,
    errors && `**Errors:** ${errors}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
