import type { INestApplication } from '@nestjs/common';
import type { Notify } from '../platform/http/request-log';
import { FlowsService } from '../flows/flows.service';
import { OffersService } from '../offers/offers.service';
import { theServiceIn } from '../tenancy/tenant';
import { WorkspacesService } from '../workspaces/workspaces.service';

/**
 * If the database has no workspace, creates an example one with an API key and a published flow with two offers, and
 * prints how to start the first session. The key is stored only as a hash, so it is printed this once.
 */
export async function createExample(app: INestApplication, address: string, print: Notify): Promise<void> {
  const workspaces = app.get(WorkspacesService);
  if ((await workspaces.list({ limit: 1 })).items.length > 0) return;

  const { id, api_key } = await workspaces.create(theServiceIn(), { name: 'Example' });
  const example = theServiceIn(id);
  const offers = app.get(OffersService);
  const discount = await offers.create(example, {
    name: 'Half price for three months',
    offer_type: 'discount_percentage',
    offer_value: '50%',
    offer_duration: '3 months',
    heading: 'Stay for half the price',
    body: 'Keep everything you have, for half the price over the next three months.',
    cta_accept: 'Take 50% off',
    terms: { percent_off: 50, duration: 'repeating', months: 3 },
  });
  const pause = await offers.create(example, {
    name: 'Pause for a month',
    offer_type: 'pause_subscription',
    offer_duration: '1 month',
    heading: 'Take a break instead',
    body: 'We stop billing for a month and keep everything as it is.',
    cta_accept: 'Pause my subscription',
    terms: { months: 1 },
  });
  const flows = app.get(FlowsService);
  const flow = await flows.create(example, {
    name: 'Leaving Acme Pro',
    product_name: 'Acme Pro',
    cancellation_url: 'https://acme.example/cancel',
    estimated_monthly_value: 49,
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

Read the flow that it runs:

  curl -s ${address}/api/v1/public/flows/${flow.id} -H 'authorization: Bearer ${api_key.key}'
`;
  print(text, { api_key: api_key.key });
}
