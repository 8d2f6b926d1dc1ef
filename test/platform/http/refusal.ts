import type { Answer } from '../../support/client';
import { expectProblem } from '../../support/problem';
import type { Tenant } from '../../support/service';

/** The response is this problem, and the workspace has no offer. Places are pointers into the body, or parameters. */
export async function expectRefusal(
  { client }: Tenant,
  response: Answer,
  status: number,
  code: string,
  ...places: string[]
): Promise<void> {
  expect([response.status, response.body.code]).toEqual([status, code]);
  expectProblem(response);
  if (places.length > 0) {
    const placeOf = ({ pointer, parameter }: { pointer?: string; parameter?: string }) => pointer ?? parameter;
    expect(response.body.errors.map(placeOf)).toEqual(places);
  }
  expect((await client.get('/api/v1/public/offers')).body.offers).toEqual([]);
}
