import { join } from 'node:path';
import { type Candidate, SERVICE } from '../contestant';
import type { ChildProcesses } from '../processes';
import { HANGING } from './receiver';

export const RECEIVER = join(__dirname, 'receiver.js');

/** Of the workspaces where receivers hang, so many have so many webhooks: enough for all attempts that a process makes at a time. */
const WEBHOOKS = 10;
const WORKSPACES = 5;

export const NO_WEBHOOK: Candidate = { ...SERVICE, name: 'no webhook' };

/** The service as it is when nobody asks for events, and when all workspaces ask for all events of sessions. */
export async function senders(processes: ChildProcesses): Promise<Candidate[]> {
  const { url } = await processes.serve(RECEIVER);
  const noWorkers = { EVENT_WORKERS: '0' };
  return [
    NO_WEBHOOK,
    {
      ...SERVICE,
      name: 'receivers hang',
      async prepare({ hot, workspaces }, management) {
        await management.createWebhooks(workspaces.slice(0, WORKSPACES), url + HANGING, WEBHOOKS);
        await management.createWebhooks([hot, ...workspaces.slice(WORKSPACES)], url + HANGING);
      },
    },
    {
      ...SERVICE,
      name: 'sent by another process',
      env: noWorkers,
      async prepare({ hot, workspaces }, management, startAnother) {
        await management.createWebhooks([hot, ...workspaces], url);
        await startAnother();
      },
    },
    {
      ...SERVICE,
      name: 'not sent',
      env: noWorkers,
      prepare: ({ hot, workspaces }, management) => management.createWebhooks([hot, ...workspaces], url),
    },
  ];
}
