import { IncomingMessage, type IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application } from 'express';
import type { ApiRequest } from './request.js';

export interface InnerRequest {
  method: string;
  /** Path and query, percent-encoded. */
  url: string;
  body?: unknown;
  /** Headers in addition to `Authorization`, which is copied from the outer request. */
  headers?: IncomingHttpHeaders;
}

export interface InnerAnswer {
  status: number;
  /** Undefined for a response without a body. */
  body: unknown;
}

function innerRequest(outer: ApiRequest, tool: string, inner: InnerRequest): ApiRequest {
  const message = new IncomingMessage(outer.socket);
  const { authorization } = outer.headers;
  message.method = inner.method;
  message.url = inner.url;
  message.headers = {
    'content-type': 'application/json',
    ...inner.headers,
    ...(authorization && { authorization }),
  };
  const { id, receivedAtMs } = outer;
  return Object.assign(message, { id, receivedAtMs, tool, body: inner.body }) as unknown as ApiRequest;
}

/**
 * Express replaces the prototype of a response, so methods that would write to a socket are defined on the object
 * itself.
 */
function answerOf(request: ApiRequest, run: (response: ServerResponse) => void): Promise<InnerAnswer> {
  return new Promise((resolve, reject) => {
    const response = new ServerResponse(request);
    const end = (chunk?: unknown): ServerResponse => {
      const text = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : '';
      resolve({ status: response.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) });
      return response;
    };
    const destroy = (error?: Error): ServerResponse => {
      reject(error ?? new Error('the answer was cut off'));
      return response;
    };
    run(Object.assign(response, { end, destroy }));
  });
}

/**
 * Calls the server's own routes on behalf of an accepted request. Routing, guards, validation, idempotency and errors
 * work as for external requests; only admission and the log line remain with the outer request.
 */
@Injectable()
export class InProcessRequestsService {
  constructor(private readonly host: HttpAdapterHost) {}

  send(outer: ApiRequest, tool: string, inner: InnerRequest): Promise<InnerAnswer> {
    const express = this.host.httpAdapter.getInstance<Application>();
    const request = innerRequest(outer, tool, inner);
    return answerOf(request, (response) => {
      express(request, response);
    });
  }
}
