import type { Service, Tenant } from '../support/service';

const RUNTIME = '/api/v1/runtime/session';

/** Begins a session of a customer, and returns the id of its record and how it takes a step. */
export async function beginSession(service: Service, acme: Tenant, flow_slug: string, customer?: object) {
  const { status, body } = await service.client.post(`${RUNTIME}/init`, { flow_slug, ...(customer && { customer }) });
  expect([status, body.errors]).toEqual([201, undefined]);
  const { id } = (await acme.client.get(`/api/v1/public/sessions/${body.session_id}`)).body as { id: string };
  return { id, take: (step: object) => service.client.post(`${RUNTIME}/${body.session_id}/step`, step) };
}
