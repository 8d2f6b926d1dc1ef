import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What deliveries hold of a customer. Bodies are not stored, but the error of an attempt may quote the response to it. */
@Injectable()
export class ErasedCustomers {
  /** Deletes the errors of all deliveries that told of the sessions. */
  async forgetResponses(workspaceId: string, flowSessionIds: string[], manager: EntityManager): Promise<void> {
    await manager.query(
      `UPDATE deliveries SET last_error = NULL FROM events
        WHERE events.workspace_id = $1 AND events.flow_session_id = ANY ($2)
          AND deliveries.workspace_id = $1 AND deliveries.event_id = events.id AND deliveries.last_error IS NOT NULL`,
      [workspaceId, flowSessionIds],
    );
  }
}
