import { Injectable } from '@nestjs/common';
import { type Count, RateLimits } from '../../platform/http/limits/rate-limits';

const WINDOW_SECONDS = 60;
/** The most of a workspace within a minute: whoever has the link of a preview makes them. */
const OF_WORKSPACE = 30;

/** Counts the events of previews. */
@Injectable()
export class PreviewEvents {
  private readonly ofWorkspace: Count;

  constructor(limits: RateLimits) {
    this.ofWorkspace = limits.counting('preview-events', WINDOW_SECONDS);
  }

  /** Whether one more may be sent. */
  async hasRoom(workspaceId: string): Promise<boolean> {
    return (await this.ofWorkspace(workspaceId, 1)).current <= OF_WORKSPACE;
  }
}
