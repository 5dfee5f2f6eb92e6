import type { Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Request, type Response } from 'express';
import { BACKLOG, Listener } from './listener.js';
import { type RawQuery, rememberPath } from '../lists/query-parameters.js';
import { wirePath } from './request.js';
import { answerFor, isVendorOperation } from '../bodies/vendor-fields.js';

const parsedQuery = Object.getOwnPropertyDescriptor(express.request, 'query') as { get: () => RawQuery };

/** Attaches the path to the parsed query: a cursor is valid for one list only. */
function queryWithPath(request: Request): RawQuery {
  const query = parsedQuery.get.call(request);
  rememberPath(query, wirePath(request));
  return query;
}

/** Express on a server that may already be listening. */
export class FastExpressAdapter extends ExpressAdapter {
  constructor(private readonly listener = new Listener()) {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    // URL libraries resolve `/projects/{id}/customers/..` to `/projects/{id}/`.
    app.enable('strict routing');
    Object.defineProperty(app.request, 'query', {
      get(this: Request) {
        return queryWithPath(this);
      },
    });
    super(app);
  }

  override initHttpServer(): void {
    this.setHttpServer(this.listener.server);
    this.httpServer = this.listener.server;
  }

  /** Filtered here because a response replayed for an idempotency key is filtered when sent, not when stored. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!isVendorOperation(response.req)) return super.reply(response, body, statusCode);
    response.vary('X-Service-Fields');
    return super.reply(response, answerFor(response.req, body), statusCode);
  }

  /** Nest's signature: a host may precede the callback. */
  override listen(port: string | number, ...rest: (string | (() => void) | undefined)[]): Server {
    const host = rest.find((value) => typeof value === 'string');
    const callback = rest.find((value) => typeof value === 'function');
    const { server } = this.listener;
    this.listener.serve(this.getInstance<ReturnType<typeof express>>());
    if (!server.listening) return server.listen({ port: Number(port), host, backlog: BACKLOG }, callback);
    if (callback) process.nextTick(callback);
    return server;
  }
}
