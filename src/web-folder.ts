import { join } from 'node:path';

/**
 * The output of `web/build.mjs`. It stands here because it has to hold seen from `src` and from `dist/src/main.js`
 * alike.
 */
export const WEB_FOLDER = join(__dirname, '../web/dist');
