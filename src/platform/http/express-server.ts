import type { Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { BACKLOG, Listener } from './listener.js';

/** Express on a server that may already be listening. */
export class FastExpressAdapter extends ExpressAdapter {
  constructor(private readonly listener = new Listener()) {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    // URL libraries turn `/projects/{id}/customers/..` into `/projects/{id}/`.
    app.enable('strict routing');
    super(app);
  }

  override initHttpServer(): void {
    this.setHttpServer(this.listener.server);
    this.httpServer = this.listener.server;
  }

  /** Nest's signature: an address may precede the callback. */
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
