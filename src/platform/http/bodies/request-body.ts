import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type RequestHandler, type Response } from 'express';
import { scanJson, type ScanLimits } from '../../../../libs/kernel/index.js';
import type { LogService } from '../../observability/log.service.js';
import { type AdmissionService, SMALL_BODY_BYTES } from '../pipeline/admission.service.js';
import { ApiError } from '../errors/api-error.js';
import { bodyProblem } from './body-shape.js';
import { bodyErrorType, TOO_COMPLEX } from '../errors/known-error.js';
import { type ApiFormat, type ApiRequest, wirePath } from '../pipeline/request.js';
import type { RouteTableService } from '../pipeline/route-table.service.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const RECEIPTS = '/v1/receipts';
const NOTIFICATIONS = '/v1/notifications/';
/** Long, because only a later version of the server may accept the receipt. */
const LARGE_RECEIPT_RETRY_S = 3600;
const NO_ROOM = 'entity.no.room';

interface Reader {
  limit: number;
  read: RequestHandler;
}

const anyType = (): boolean => true;

/** Rejects bodies that would be expensive to parse. */
function assertWithin(bytes: Buffer, limits?: ScanLimits): void {
  const problem = scanJson(bytes, limits);
  if (problem !== null) throw Object.assign(new Error(problem), { type: TOO_COMPLEX });
}

function assertSimple(_: IncomingMessage, __: unknown, bytes: Buffer): void {
  assertWithin(bytes);
}

function jsonWithin(limits?: ScanLimits) {
  return (_: IncomingMessage, __: unknown, bytes: Buffer, charset: string): void => {
    if (charset !== 'utf-8') throw Object.assign(new Error('JSON is UTF-8'), { type: 'charset.unsupported' });
    assertWithin(bytes, limits);
  };
}

const verifyJson = jsonWithin();

function sdkJson(limit: number): Reader {
  return { limit, read: express.json({ limit, type: anyType, strict: false, verify: verifyJson }) };
}

function apiJson(limit: number): Reader {
  return { limit, read: express.json({ limit, strict: false, verify: verifyJson }) };
}

const receipt = sdkJson(10 * MIB);
/** Store notifications are stored, verified and forwarded byte for byte; stores send a few kilobytes. */
const notification = {
  limit: 256 * KIB,
  read: express.raw({ limit: 256 * KIB, type: anyType, verify: assertSimple }),
};
/** Apple waits less than a second for the answer. */
const retentionRequest = sdkJson(16 * KIB);
const RETENTION_REQUEST = /^\/v1\/stores\/app_store\/[^/]+\/retention_message$/;
const sdk = sdkJson(MIB);
const api = apiJson(MIB);
/** A hundred customers with their history. */
const customerImport: Reader = {
  limit: 10 * MIB,
  read: express.json({
    limit: 10 * MIB,
    strict: false,
    verify: jsonWithin({ values: 600_000, keys: 300_000 }),
  }),
};
const CUSTOMER_IMPORT = /^\/v2\/projects\/[^/]+\/import\/customers$/;
/** Routes without a credential accept only as much as they need. */
const open = { v1: sdkJson(SMALL_BODY_BYTES), other: apiJson(SMALL_BODY_BYTES) };
const urlencoded = express.urlencoded({ limit: SMALL_BODY_BYTES, extended: false });
/** OAuth clients and the consent page post forms; some clients post JSON. */
const oauth: Reader = {
  limit: SMALL_BODY_BYTES,
  read: (request, response, next) =>
    (request.is('application/x-www-form-urlencoded') ? urlencoded : open.other.read)(request, response, next),
};
const SCIM_TYPES = ['application/scim+json', 'application/json'];
/** A group with all of its members. */
const scim: Reader = {
  limit: MIB,
  read: express.json({
    limit: MIB,
    strict: false,
    type: SCIM_TYPES,
    verify: jsonWithin({ values: 150_000, keys: 100_000 }),
  }),
};
/** Events are read leniently by their route, and diagnostics are discarded: an error would lose or repeat them. */
const unread = { limit: MIB, read: express.raw({ limit: MIB, type: anyType }) };
const UNREAD_PATHS = new Set(['/v1/events', '/v1/diagnostics']);
/** After any 4xx, some SDKs do without remote configuration, so a body that cannot be read counts as empty. */
const REMOTE_CONFIG = '/v1/config/app';
/**
 * Documents of paywalls. They may have 256 KiB; a larger one is refused by its route, which names the field.
 */
const paywall: Reader = {
  limit: 8 * MIB,
  read: express.json({
    limit: 8 * MIB,
    strict: false,
    verify: jsonWithin({ values: 200_000, keys: 150_000 }),
  }),
};
const PAYWALL = /^\/v2\/projects\/[^/]+\/paywalls\/[^/]+$/;
/** Base64 of a file of 2 MiB. */
const mediaAsset = apiJson(3 * MIB);
const MEDIA_ASSETS = /^\/v2\/projects\/[^/]+\/media_assets$/;
/** Mail providers post a form to these paths (RFC 8058). Its contents are ignored. */
const FORM_PATHS = ['/auth/alerts/unsubscribe', '/auth/digests/unsubscribe'];
const form = { limit: SMALL_BODY_BYTES, read: express.raw({ limit: SMALL_BODY_BYTES, type: anyType }) };

/** The page of a redemption link posts an empty form to this path. */
const LINK_FORM = /^\/redeem\/[^/]+\/resend$/;

/** Identity providers have browsers post a form with a signed document to this path. */
const SAML_ANSWER = /^\/sso\/saml\/[^/]+\/acs$/;
const samlAnswer: Reader = {
  limit: 256 * KIB,
  read: express.urlencoded({ limit: 256 * KIB, extended: false, parameterLimit: 20 }),
};

/** Handles 415 itself, as its protocol requires. */
const TOOLS_PATH = '/mcp';
const BATCH = 'tools.batch';

function assertNoBatch(...[request, response, bytes, charset]: Parameters<typeof verifyJson>): void {
  if (/^\s*\[/.test(bytes.toString('latin1', 0, 100))) throw Object.assign(new Error(), { type: BATCH });
  verifyJson(request, response, bytes, charset);
}

const toolsJson = express.json({ limit: MIB, strict: false, verify: assertNoBatch });
/** A batch of any length gets the same error, so it is not parsed; its route receives an empty one. */
const tools: Reader = {
  limit: MIB,
  read: (request, response, next) =>
    toolsJson(request, response, (error?: unknown) => {
      if (bodyErrorType(error) !== BATCH) return next(error);
      request.body = [];
      next();
    }),
};

/** In these formats, another check rejects reserved field names. */
const checksNames = (format: ApiFormat): boolean => format === 'v1' || format === 'scim';

/** Whether a SCIM request has a body of another type (415). */
export function isForeignToScim(request: ApiRequest, format: ApiFormat): boolean {
  return format === 'scim' && request.is(SCIM_TYPES) === false;
}

/** Whether the body must be JSON. */
export function takesOnlyJson(path: string, format: ApiFormat): boolean {
  const isForm = FORM_PATHS.includes(path) || LINK_FORM.test(path) || SAML_ANSWER.test(path);
  return !['v1', 'oauth', 'scim'].includes(format) && !isForm && path !== TOOLS_PATH;
}

function readerOf(path: string, format: ApiFormat, isOpen: boolean): Reader {
  if (FORM_PATHS.includes(path)) return form;
  if (SAML_ANSWER.test(path)) return samlAnswer;
  if (format === 'oauth') return oauth;
  if (format === 'scim') return scim;
  if (!isOpen && CUSTOMER_IMPORT.test(path)) return customerImport;
  if (!isOpen && PAYWALL.test(path)) return paywall;
  if (!isOpen && MEDIA_ASSETS.test(path)) return mediaAsset;
  if (path === TOOLS_PATH) return tools;
  if (format !== 'v1') return isOpen ? open.other : api;
  if (path === RECEIPTS) return receipt;
  if (path.startsWith(NOTIFICATIONS)) return notification;
  if (RETENTION_REQUEST.test(path)) return retentionRequest;
  if (UNREAD_PATHS.has(path)) return unread;
  return isOpen ? open.v1 : sdk;
}

function announcedBytes({ headers }: ApiRequest): number | null {
  if ('content-encoding' in headers || 'transfer-encoding' in headers) return null;
  return Number(headers['content-length'] ?? 0);
}

/** Some clients send the charset `utf8` for UTF-8, which body-parser does not recognize. */
function spellCharset({ headers }: ApiRequest): void {
  const type = headers['content-type'];
  if (type !== undefined) headers['content-type'] = type.replace(/(;\s*charset\s*=\s*"?)utf8\b/i, '$1utf-8');
}

interface BodyParts {
  admission: AdmissionService;
  routes: RouteTableService;
  /** @throws ApiError if the request has no valid credential */
  authenticate: (request: ApiRequest) => unknown;
  log: LogService;
}

/**
 * Reads the body of a request into `request.body`. Small ones are read immediately; large ones only for an existing
 * route, a valid credential and while there is room. Other bodies are discarded as they arrive.
 */
export class RequestBodies {
  constructor(private readonly parts: BodyParts) {}

  read(request: ApiRequest, response: Response, format: ApiFormat, next: NextFunction): void {
    const path = wirePath(request);
    // A notification is forwarded with its original content type.
    if (!path.startsWith(NOTIFICATIONS)) spellCharset(request);
    const done: NextFunction = (error?: unknown) => {
      if (error !== undefined && path === REMOTE_CONFIG && bodyErrorType(error) !== NO_ROOM) {
        request.body = undefined;
        next();
      } else if (error !== undefined) next(this.problem(error, request));
      else next(checksNames(format) ? undefined : bodyProblem(request.body));
    };
    const announced = announcedBytes(request);
    if (announced !== null && announced <= SMALL_BODY_BYTES) {
      return void readerOf(path, format, false).read(request, response, done);
    }
    const route = this.parts.routes.find(request.method, path);
    // No route will read it.
    if (!route) return next();
    const read = (): void => {
      const reader = readerOf(path, format, route.isOpen);
      this.readLarge(request, response, reader, announced, done);
    };
    if (route.isOpen) return read();
    Promise.resolve(this.parts.authenticate(request))
      .then(read)
      .catch((error: unknown) => {
        // The guard rejects it too, with a challenge that explains how to get a credential.
        const isLeftToGuard = route.hasOwnGuard && error instanceof ApiError && error.status === 401;
        next(isLeftToGuard ? undefined : error);
      });
  }

  private readLarge(
    request: ApiRequest,
    response: Response,
    { limit, read }: Reader,
    announced: number | null,
    done: NextFunction,
  ): void {
    const takeIn = this.parts.admission.bodyRoom(response);
    const isCompressed = 'content-encoding' in request.headers;
    // A body over the limit is not read anyway.
    const atOnce = announced === null ? (isCompressed ? limit : 0) : announced > limit ? 0 : announced;
    if (atOnce > 0 && !takeIn(atOnce)) return done(this.parts.admission.refusal());
    if (announced === null && !isCompressed) followGrowth(request, limit, takeIn);
    void read(request, response, done);
  }

  private problem(error: unknown, request: ApiRequest): unknown {
    const type = bodyErrorType(error);
    if (type === NO_ROOM) return this.parts.admission.refusal();
    if (type !== 'entity.too.large' || wirePath(request) !== RECEIPTS) return error;
    // After any 4xx the SDK would finish a purchase that is not recorded anywhere.
    const message = `The receipt is larger than ${receipt.limit} bytes.`;
    this.parts.log.error({ request_id: request.id }, message);
    return new ApiError('overloaded', message, { retryAfterS: LARGE_RECEIPT_RETRY_S });
  }
}

/** Reserves room for a streamed body as it grows; stops reading when there is none left. */
function followGrowth(request: ApiRequest, limit: number, takeIn: (bytes: number) => boolean): void {
  let received = 0;
  let isOver = false;
  request.on('data', (piece: Buffer) => {
    received += piece.length;
    // Beyond the limit the reader discards it.
    isOver ||= received > limit;
    if (isOver || received <= SMALL_BODY_BYTES || takeIn(piece.length)) return;
    isOver = true;
    request.emit('error', Object.assign(new Error('There is no room for the body'), { type: NO_ROOM }));
  });
}
