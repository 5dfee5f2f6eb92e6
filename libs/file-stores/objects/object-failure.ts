import { elementsOf } from './answer-elements.js';
import { FileStoreError, type FileStoreErrorCode } from '../file-store-error.js';
import type { HttpAnswer } from './http-exchange.js';
import type { StoreText } from '../store-text.js';

interface FailureRule {
  statuses?: readonly number[];
  codes?: readonly string[];
  failure: FileStoreErrorCode;
  isTransient?: boolean;
}

/** The first rule that matches the status or the code in the answer applies. */
const rules: readonly FailureRule[] = [
  {
    statuses: [301, 302, 303, 307, 308],
    codes: ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect'],
    failure: 'wrong_region',
  },
  { codes: ['NoSuchUpload', 'InvalidBlockList'], failure: 'upload_lost' },
  { codes: ['PreconditionFailed', 'BlobAlreadyExists'], statuses: [412], failure: 'already_exists' },
  { statuses: [401, 403], codes: ['AccessDenied'], failure: 'access_denied' },
  { statuses: [404], failure: 'not_found' },
  { statuses: [507], failure: 'no_space' },
  { codes: ['NotImplemented'], statuses: [501], failure: 'store_error' },
  {
    statuses: [429],
    codes: ['ConditionalRequestConflict', 'OperationAborted', 'RequestTimeout', 'InternalError', 'SlowDown'],
    failure: 'store_error',
    isTransient: true,
  },
];

const matches = (rule: FailureRule, status: number, code: string | undefined): boolean =>
  Boolean(rule.statuses?.includes(status) || (code && rule.codes?.includes(code)));

const SENTENCES: Partial<Record<FileStoreErrorCode, string>> = {
  access_denied: 'The store refused the credentials, or a permission is missing',
  not_found: 'The store has no such bucket, container or file',
  already_exists: 'A file of that name is already stored',
  upload_lost: 'The store no longer has the upload',
  no_space: 'The store has no space left',
  store_error: 'The store answered with an error',
};

/** The failure that an answer of S3 or Azure reports. */
export function objectFailure(answer: HttpAnswer, text: StoreText): FileStoreError {
  const { status } = answer;
  const elements = elementsOf(answer.body.toString('utf8'));
  const code = elements.Code;
  const rule = rules.find((candidate) => matches(candidate, status, code));
  const failure = rule?.failure ?? 'store_error';
  if (failure === 'wrong_region') {
    const region = answer.header('x-amz-bucket-region') ?? elements.Region;
    return new FileStoreError(
      failure,
      region
        ? `The bucket is in the region ${text(region)}.`
        : `The store redirected the request (${status}), which is not followed. Check the region and the endpoint.`,
    );
  }
  const reason = [status, code && text(code)].filter(Boolean).join(' ');
  const detail = elements.Message ? `: ${text(elements.Message)}` : '.';
  return new FileStoreError(failure, `${SENTENCES[failure]} (${reason})${detail}`, {
    isTransient: rule ? rule.isTransient : status >= 500,
  });
}

export const isNotImplemented = (answer: HttpAnswer): boolean =>
  answer.status === 501 || elementsOf(answer.body.toString('utf8')).Code === 'NotImplemented';
