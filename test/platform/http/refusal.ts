import type { Answer } from '../../support/client';
import { expectProblem } from '../../support/problem';
import type { Tenant } from '../../support/service';

/** The response is this problem, and the workspace has no offer. */
export async function expectRefusal(
  { client }: Tenant,
  response: Answer,
  status: number,
  code: string,
  ...pointers: string[]
): Promise<void> {
  expect([response.status, response.body.code]).toEqual([status, code]);
  expectProblem(response);
  if (pointers.length > 0) {
    expect(response.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  }
  expect((await client.get('/api/v1/public/offers')).body.offers).toEqual([]);
}
