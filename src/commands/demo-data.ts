import { createApp } from '../app/app';
import { addDemoData, removeDemoData } from '../app/example/demo-data';
import { DEMO_FLOW } from '../app/example/demo-flow';
import { Config } from '../settings/config';
import { onRunningDatabase } from './attributed-errors';
import type { Given } from './command';
import { commandLine } from './command-line';

/** Fills the first workspace with made-up sessions, or with `--remove` takes them away. */
export async function demoData({ env, options, print, output }: Given): Promise<void> {
  const config = Config.fromEnv({ ...env, BACKGROUND_JOBS: 'false' });
  await onRunningDatabase(config, async (url) => {
    const app = await createApp(config.onDatabase(url), output);
    try {
      if (options.includes('--remove')) {
        const isRemoved = await removeDemoData(app);
        return print(isRemoved ? 'The example data is gone' : 'There is no example data');
      }
      const added = await addDemoData(app);
      const removal = `${commandLine(env, 'demo-data', '--remove')} takes the example data away`;
      if (!added) return print(`It is there already: ${removal}`);
      print(
        `The workspace "${added.workspace}" has ${added.sessions} made-up sessions of the last 60 days now, in the flow "${DEMO_FLOW}". ${removal}`,
      );
      if (added.apiKey) print(`Its API key is shown only this once: ${added.apiKey}`, { api_key: added.apiKey });
    } finally {
      await app.close();
    }
  });
}
