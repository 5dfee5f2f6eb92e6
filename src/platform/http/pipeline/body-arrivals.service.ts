import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { Config } from '../../config/config.js';
import { clientNetwork } from './client-network.js';

/** Even a phone on the slowest usable network is this fast. */
const MIN_BYTES_PER_MS = 2;
/** Node responds with 408 after two minutes, and an SDK finishes its purchase after any 4xx. */
const LONGEST_MS = 110_000;
const CHECKS_PER_TIMEOUT = 5;

export interface ArrivingBody {
  /** IP address of the client; null if unknown. */
  ip: string | null;
  /** Never decreases. */
  bytesRead: () => number;
  /** Aborts the request. */
  drop: () => void;
}

interface Arrival extends ArrivingBody {
  network: string;
  startMs: number;
  startBytes: number;
  lastMs: number;
  lastBytes: number;
}

/**
 * Bodies that are still arriving. Anyone can start one without a credential and then stall. They occupy no admission
 * slot; when there are too many, the oldest is dropped, because legitimate bodies arrive quickly.
 */
@Injectable()
export class BodyArrivalsService {
  /** Sorted by arrival. */
  private readonly all = new Set<Arrival>();
  private readonly byNetwork = new Map<string, Set<Arrival>>();
  private readonly dropped: Counter;
  private watch: NodeJS.Timeout | null = null;

  constructor(
    private readonly config: Config,
    registry: Registry,
  ) {
    const count = (): number => this.all.size;
    new Gauge({
      name: 'tenure_http_bodies_arriving',
      help: 'Requests whose body has not arrived in full.',
      registers: [registry],
      collect() {
        this.set(count());
      },
    });
    this.dropped = new Counter({
      name: 'tenure_http_bodies_dropped_total',
      help: 'Requests given up because their body arrived too slowly, or too many others were arriving.',
      registers: [registry],
    });
  }

  /** Tracks a body until the returned function is called or the body is dropped. */
  begin(body: ArrivingBody): () => void {
    const network = clientNetwork(body.ip);
    const ofNetwork = this.byNetwork.get(network) ?? new Set<Arrival>();
    if (ofNetwork.size >= this.config.maxBodiesArrivingPerAddress) this.dropFirst(ofNetwork);
    if (this.all.size >= this.config.maxBodiesArriving) this.dropFirst(this.all);
    const nowMs = performance.now();
    const bytes = body.bytesRead();
    const times = { startMs: nowMs, lastMs: nowMs, startBytes: bytes, lastBytes: bytes };
    const arrival: Arrival = { ...body, ...times, network };
    this.all.add(arrival);
    this.byNetwork.set(network, ofNetwork.add(arrival));
    this.watch ??= setInterval(this.dropSlow, this.config.bodyTimeoutMs / CHECKS_PER_TIMEOUT).unref();
    return () => this.end(arrival);
  }

  private end(arrival: Arrival): void {
    this.all.delete(arrival);
    const ofNetwork = this.byNetwork.get(arrival.network);
    ofNetwork?.delete(arrival);
    if (ofNetwork?.size === 0) this.byNetwork.delete(arrival.network);
  }

  private drop(arrival: Arrival): void {
    this.end(arrival);
    this.dropped.inc();
    arrival.drop();
  }

  private dropFirst(arrivals: ReadonlySet<Arrival>): void {
    for (const first of arrivals) return this.drop(first);
  }

  private readonly dropSlow = (): void => {
    const nowMs = performance.now();
    for (const arrival of this.all) if (this.isTooSlow(arrival, nowMs)) this.drop(arrival);
    if (this.all.size > 0 || this.watch === null) return;
    clearInterval(this.watch);
    this.watch = null;
  };

  /** No bytes arrived during the timeout, or too few after twice the timeout. */
  private isTooSlow(arrival: Arrival, nowMs: number): boolean {
    const bytes = arrival.bytesRead();
    if (bytes > arrival.lastBytes) {
      arrival.lastBytes = bytes;
      arrival.lastMs = nowMs;
    }
    const { bodyTimeoutMs } = this.config;
    if (nowMs - arrival.lastMs >= bodyTimeoutMs) return true;
    const allowedMs = 2 * bodyTimeoutMs + (bytes - arrival.startBytes) / MIN_BYTES_PER_MS;
    return nowMs - arrival.startMs > Math.min(allowedMs, LONGEST_MS);
  }
}
