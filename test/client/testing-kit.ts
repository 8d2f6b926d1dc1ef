/** Programs that use the kit for tests, as the compiler takes and refuses them: see `as-code.process-spec.ts`. */
import { applyConfig, type Plan, type RunningService, signedEvent, startService } from '@retention-flow/client/testing';

export async function good(): Promise<void> {
  const service: RunningService = await startService({ package: './service.tgz', env: { LOG_LEVEL: 'info' } });
  const { id, key }: { id: string; key: string } = service.workspace;
  const plan: Plan = await applyConfig('flows: []', { url: service.url, apiKey: key });
  console.log(id, plan.create.length);
  const { body, headers, secret } = signedEvent('session.saved', { data: { session: { customer: { id: 'cus_1' } } } });
  const texts: string[] = [body, headers['webhook-id'], secret, signedEvent('test').body];
  console.log(texts);
  await service.stop();
}

export async function bad(): Promise<void> {
  // @ts-expect-error There is no such event.
  signedEvent('session.sold');
  // @ts-expect-error An event of a session has no webhook.
  signedEvent('session.saved', { data: { webhook: { id: '1' } } });
  // @ts-expect-error The key is missing.
  await applyConfig('flows: []', { url: 'http://127.0.0.1:3000' });
  // @ts-expect-error Settings are texts.
  await startService({ env: { PORT: 3000 } });
}
