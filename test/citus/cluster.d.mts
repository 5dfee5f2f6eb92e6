export interface Node {
  url: string;
  port: number;
  /** `kill -9`. Its other processes end when they notice. */
  kill(): Promise<void>;
  /** Repeated until the processes of a killed one have ended. */
  restart(): Promise<void>;
}

export interface Cluster {
  /** The coordinator first. */
  nodes: Node[];
  urls: string[];
  /** Starts another worker, of which the coordinator does not know yet. */
  add(name: string): Promise<Node>;
  stop(): Promise<void>;
}

export function startCluster(programs: string): Promise<Cluster>;
