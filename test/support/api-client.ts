import supertest, { type Response } from 'supertest';
import { recordAnswer } from './answer-recorder.js';
import type { AuditedWrites } from './audited-writes.js';
import { undeclaredFields } from './vendor-object-fields.js';
import { noteRequest } from './last-request/last-request.js';
import type { OpenApiValidator } from './openapi-validator.js';

type Headers = Record<string, string>;

/** A JSON object as tests read it; wrong shapes are caught by the OpenAPI check of every answer. */

export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Record<string, string>;
  text: string;
}

/** Calls the server over HTTP and checks each answer against the OpenAPI document. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly validator: OpenApiValidator,
    private readonly writes: AuditedWrites,
    private readonly defaults: Headers = {},
  ) {}

  /** The same client with more headers on every request. */
  with(headers: Headers): ApiClient {
    return new ApiClient(this.baseUrl, this.validator, this.writes, { ...this.defaults, ...headers });
  }

  /** The same client with a key. */
  withKey(key: string): ApiClient {
    return this.with({ authorization: `Bearer ${key}` });
  }

  /** The same client with a session cookie (`name=value`). */
  withCookie(cookie: string): ApiClient {
    return this.with({ cookie });
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  delete(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Starts a GET whose body is a file, and leaves it to the caller. */
  async open(path: string): Promise<globalThis.Response> {
    const response = await fetch(this.baseUrl + path, { headers: this.defaults });
    this.writes.note('GET', path, response.status, {});
    return response;
  }

  /** Sends a body as it is, with the content type given in `headers`. */
  async send(method: string, path: string, body: unknown, headers: Headers = {}): Promise<Answer> {
    const allHeaders = { ...this.defaults, ...headers };
    const exchange = noteRequest({ method, path, headers: allHeaders, body });
    let call = supertest(this.baseUrl)[method.toLowerCase() as 'get'](path).redirects(0);
    for (const [name, value] of Object.entries(allHeaders)) call = call.set(name, value);
    const response: Response = body === undefined ? await call : await call.send(body as object);
    exchange.answer = {
      status: response.status,
      body: response.type.includes('json') ? response.body : response.text,
    };
    const { status } = response;
    const problems = [
      ...this.validator.problems(method, path, status, response.body),
      ...undeclaredFields(method, path, status, response.body),
    ];
    if (problems.length > 0) {
      throw new Error(`The answer is not as documented:\n${problems.join('\n')}\n${response.text}`);
    }
    recordAnswer(method, path, response.status, response.body);
    this.writes.note(method, path, response.status, response.headers);
    return {
      status: response.status,
      body: response.body,
      headers: response.headers,
      text: response.text,
    };
  }
}
