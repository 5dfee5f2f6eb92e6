import { Injectable } from '@nestjs/common';

/** Whether this process wants more requests. It goes on answering those it gets. */
@Injectable()
export class Readiness {
  private leaving = false;

  /** True once the process has been told to stop: its connections end with the answers under way. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  leave(): void {
    this.leaving = true;
  }
}
