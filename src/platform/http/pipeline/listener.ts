import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/* The native constructors are plain functions and can be applied to an object with another prototype. */
type NativeConstructor = { call(self: object, ...args: unknown[]): void };

/**
 * Maximum number of connections waiting to be accepted. Node's default of 511 overflows within a second of overload,
 * which resets clients. The system's limit (`net.core.somaxconn`) also applies.
 */
export const BACKLOG = 4096;

interface ExpressApplication extends RequestListener {
  request: object;
  response: object;
}

/**
 * The HTTP server of a port. It can respond before the application exists, and the application takes over without
 * closing connections: the current handler gets each request once its headers are read.
 */
export class Listener {
  readonly server: Server;
  private readonly setPrototypes: (request: object, response: object) => void;

  /** @param starting handles requests until there is an application */
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
      // Longer than the keep-alive of common load balancers (60 s).
      keepAliveTimeout: 65_000,
      requestTimeout: 120_000,
    });
    if (starting) this.server.on('request', starting);
  }

  /** @throws Error if the port is unavailable */
  async listen(port: number, host: string | undefined): Promise<void> {
    this.server.listen({ port, host, backlog: BACKLOG });
    await once(this.server, 'listening');
  }

  /**
   * Passes all further requests to the application. Express changes the prototype of each request and response, which
   * on Node 20 costs more than the rest of its work. Objects created with Express's prototypes make that a no-op: 2.5
   * times the requests per second on one core.
   */
  serve(application: ExpressApplication): void {
    this.setPrototypes(application.request, application.response);
    if (this.starting) this.server.off('request', this.starting);
    this.server.on('request', application);
  }
}
