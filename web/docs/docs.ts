import { followColorScheme } from './color-scheme';
import { contents } from './contents';
import { errors } from './errors';
import { mended } from './mended';
import { samples } from './samples';
import { search } from './search';

followColorScheme();
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  filter: true,
  // 107 operations in a row hide what there is.
  docExpansion: 'none',
  // Each operation shows its own schemas; there is no list of all of them.
  defaultModelsExpandDepth: -1,
  plugins: [search, samples, errors, contents, mended],
});
