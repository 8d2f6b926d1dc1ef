/// <reference lib="esnext.disposable" preserve="true" />
export { applyConfig, type Plan } from './config.ts';
export { type SignedEvent, type PartOf, signedEvent } from './events.ts';
export { type RunningService, type ServiceOptions, startService } from './service.ts';
