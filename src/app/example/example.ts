import type { INestApplication } from '@nestjs/common';
import type { Notify } from '../../platform/http/log/request-log';
import { FlowsService } from '../../flows/flows.service';
import { OffersService } from '../../offers/offers.service';
import { theServiceIn } from '../../tenancy/work/tenant';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { HALF_PRICE, PAUSE, PRODUCT } from './acme-pro';

/**
 * If the database has no workspace, creates an example one with an API key and a published flow with two offers, and
 * prints how to start the first session. The key is stored only as a hash, so it is printed this once.
 */
export async function createExample(
  app: INestApplication,
  address: string,
  demoData: string,
  print: Notify,
): Promise<void> {
  const workspaces = app.get(WorkspacesService);
  if ((await workspaces.list({ limit: 1 })).items.length > 0) return;

  const { id, api_key } = await workspaces.create(theServiceIn(), { name: 'Example' });
  const example = theServiceIn(id);
  const offers = app.get(OffersService);
  const discount = await offers.create(example, HALF_PRICE);
  const pause = await offers.create(example, PAUSE);
  const flows = app.get(FlowsService);
  const flow = await flows.create(example, {
    name: 'Leaving Acme Pro',
    ...PRODUCT,
    offer_ids: [discount.id, pause.id],
  });
  await flows.update(example, flow.id, { status: 'published' });

  const text = `
This database is new, so here is an example workspace to try. Its API key is shown only this once:

  ${api_key.key}

See the flow as a customer does:

  ${address}/demo?flow=${flow.slug}

Look at it, and change it, with the key:

  ${address}/console

Start a session, as the widget does:

  curl -s ${address}/api/v1/runtime/session/init -H 'content-type: application/json' -d '{"flow_slug":"${flow.slug}"}'

Fill the workspace with 60 days of made-up sessions, to see numbers:

  ${demoData}

Read the flow that it runs:

  curl -s ${address}/api/v1/public/flows/${flow.id} -H 'authorization: Bearer ${api_key.key}'
`;
  print(text, { api_key: api_key.key });
}
