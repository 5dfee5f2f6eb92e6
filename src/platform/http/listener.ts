import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/* The native constructors are plain functions and may be called on an object of another prototype. */
type NativeConstructor = { call(self: object, ...args: unknown[]): void };

/**
 * Connections that may wait to be accepted while the process is busy: Node's 511 overflow within a second of overload,
 * and their clients are reset. The system's own limit (`net.core.somaxconn`) holds, too.
 */
export const BACKLOG = 4096;

interface ExpressApplication extends RequestListener {
  request: object;
  response: object;
}

/**
 * The HTTP server of a port. It can answer before there is an application, and hands its connections over without
 * closing any of them: each request goes to whichever handler is in place when its headers are read.
 */
export class Listener {
  readonly server: Server;
  private readonly setPrototypes: (request: object, response: object) => void;

  /** @param starting answers until there is an application */
  constructor(private readonly starting: RequestListener | null = null) {
    function Request(this: object, socket: Socket): void {
      (IncomingMessage as unknown as NativeConstructor).call(this, socket);
    }
    function Response(this: object, request: IncomingMessage, options: object): void {
      (ServerResponse as unknown as NativeConstructor).call(this, request, options);
    }
    this.setPrototypes = (request, response) => {
      Request.prototype = request;
      Response.prototype = response;
    };
    this.setPrototypes(IncomingMessage.prototype, ServerResponse.prototype);
    this.server = createServer({
      IncomingMessage: Request as unknown as typeof IncomingMessage,
      ServerResponse: Response as unknown as typeof ServerResponse,
      // Idle keep-alive connections outlive those of the usual load balancers (60 s).
      keepAliveTimeout: 65_000,
      requestTimeout: 120_000,
    });
    if (starting) this.server.on('request', starting);
  }

  /** @throws Error when the port cannot be had */
  async listen(port: number, host: string | undefined): Promise<void> {
    this.server.listen({ port, host, backlog: BACKLOG });
    await once(this.server, 'listening');
  }

  /**
   * From now on requests go to the application. Express changes the prototype of every request and response, which on
   * Node 20 costs more than all its other work. Objects that are born with Express's prototypes make that a no-op (2.5
   * times the requests per second on one core). Nothing else about them differs.
   */
  serve(application: ExpressApplication): void {
    this.setPrototypes(application.request, application.response);
    if (this.starting) this.server.off('request', this.starting);
    this.server.on('request', application);
  }
}
